import { METHODS, type Params, PROTOCOL_VERSION, type Result } from "../../schemas/index.js";
import { GatewayError } from "../gateway-error.js";

const majorOf = (version: string): string | undefined => /^(\d+)(\.\d+)*$/.exec(version)?.[1];

/** Answers `initialize`. It may be left out: a connection that never sends it is taken to speak this version. */
export function initialize(params: Params<"initialize">, serverVersion: string): Result<"initialize"> {
  if (params.protocolVersion !== undefined) checkVersion(params.protocolVersion);
  return {
    protocolVersion: PROTOCOL_VERSION,
    server: { name: "agentwire", version: serverVersion },
    methods: Object.keys(METHODS),
  };
}

function checkVersion(wanted: string): void {
  const major = majorOf(wanted);
  if (major === undefined) {
    throw new GatewayError("invalid_params", `protocolVersion must be a version such as "${PROTOCOL_VERSION}"`, {
      field: "protocolVersion",
    });
  }
  if (major !== majorOf(PROTOCOL_VERSION)) {
    throw new GatewayError(
      "not_supported",
      `This gateway speaks protocol version ${PROTOCOL_VERSION}; the client asked for major version ${major}`,
      {
        field: "protocolVersion",
        hint: `Ask for version ${majorOf(PROTOCOL_VERSION)}.x, or use another version of agentwire.`,
      },
    );
  }
}
