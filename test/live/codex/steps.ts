export { lastToolResults } from "../openai/seen.js";
export * from "../steps.js";
