export { lastToolResults } from "../anthropic/seen.js";
export * from "../steps.js";
