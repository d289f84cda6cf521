import type { ConnectOptions, FinalDocument } from "../../../src/client/index.js";

export interface FollowOptions extends Pick<ConnectOptions, "url" | "token" | "transport"> {
  readonly sessionID: string;
}

/** What the page is asked for by who drives the browser; the rest is on it to be seen and pressed. */
export interface PageApi {
  /** Connects and follows a session. The token comes this way, as it may not be in the page's address. */
  follow(options: FollowOptions): Promise<void>;
  documentWhenTitled(title: string): Promise<FinalDocument>;
}

export interface PageGlobals {
  agentwirePage: PageApi;
}
