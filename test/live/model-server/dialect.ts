import type { ApiError, PartsAnswer, ScriptedPart } from "./script.js";

type Json = Readonly<Record<string, unknown>>;

/** A part whose call has been given its id. */
export type NamedPart = ScriptedPart & {
  readonly callID: string /** Counts the calls of one answer from 0. */;
  readonly callIndex: number;
};

export interface NamedAnswer extends PartsAnswer {
  readonly id: string;
  readonly model: string;
  readonly parts: readonly NamedPart[];
}

/** A model's API as data: which requests ask it, and what it writes for what the script says. */
export interface Dialect {
  /** How an answer is wanted; undefined for a request that does not ask the model. */
  asks(route: string, body: Json): "stream" | "whole" | undefined;
  /** The answer to a request of another kind, such as for the list of models; undefined for none that the API knows. */
  other(route: string): Json | undefined;
  modelOf(route: string, body: Json): string;
  laneOf(body: Json): string;
  /** What comes before the first part. */
  head(answer: NamedAnswer): readonly Json[];
  deltasOf(part: NamedPart, answer: NamedAnswer): readonly Json[];
  /** What comes after the last part: why it ended, and what it cost. */
  tail(answer: NamedAnswer): readonly Json[];
  /** The word by which the stream ends, where there is one. */
  readonly last?: string;
  whole(answer: NamedAnswer): Json;
  error(error: ApiError): Json;
}
