import { UsageError } from "./usage-error.js";

export type Action = (args: readonly string[]) => Promise<number>;

/** The actions of a verb by their names; each is loaded when it is asked for. */
export type Actions = Readonly<Record<string, () => Promise<Action>>>;

/** Does what the first argument names, with the others. What is no action's name goes whole to `otherwise`. */
export async function runAction(
  actions: Actions,
  args: readonly string[],
  otherwise?: () => Promise<Action>,
): Promise<number> {
  const [name = "", ...rest] = args;
  const load = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (load) return (await load())(rest);
  if (otherwise) return (await otherwise())(args);
  throw new UsageError(`say what to do: ${Object.keys(actions).join(", ")}`);
}
