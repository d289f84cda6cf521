import type { Inlet } from "./inlet.js";
import type { Outlet } from "./outlet.js";

/** Both ways of one client's connection. */
export interface Transport {
  readonly inlet: Inlet;
  readonly outlet: Outlet;
}
