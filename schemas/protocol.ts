/** The version of the wire. A client that asks for another major version is refused. */
export const PROTOCOL_VERSION = "1.0";
