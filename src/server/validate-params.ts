import { METHODS, type Method, type Params } from "../../schemas/index.js";
import { GatewayError } from "../gateway-error.js";
import { describeIssue } from "./describe-issue.js";

/** More than this helps nobody. */
const MAX_ISSUES = 3;

/** The parameters of a request, checked; left-out ones are an empty object. */
export function validateParams<M extends Method>(method: M, params: unknown): Params<M> {
  const { params: schema } = METHODS[method];
  const value = params === undefined ? {} : params;
  if (Array.isArray(value)) {
    throw new GatewayError("invalid_params", "params must be an object (parameters by name), got an array", {
      field: "params",
    });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data as Params<M>;
  const issues = parsed.error.issues.map((issue) => describeIssue(issue, schema, value));
  const shown = issues.slice(0, MAX_ISSUES).map((issue) => issue.message);
  const more = issues.length > MAX_ISSUES ? `; and ${issues.length - MAX_ISSUES} more` : "";
  throw new GatewayError("invalid_params", shown.join("; ") + more, { field: issues[0]?.field ?? "params" });
}
