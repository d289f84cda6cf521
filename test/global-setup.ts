import { build } from "./build.js";

/** Tests start the program as it is shipped: a start from the sources takes three times as long. */
export function setup(): void {
  build();
}
