import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { GatewayError } from "../gateway-error.js";

/** Starts a server on an address and returns the port it got. */
export function listenOn(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException): void => reject(listenError(cause, host, port));
    server.once("error", fail);
    server.listen({ host, port, exclusive: true }, () => {
      server.off("error", fail);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function listenError(cause: NodeJS.ErrnoException, host: string, port: number): GatewayError {
  switch (cause.code) {
    case "EADDRINUSE":
      return new GatewayError("conflict", `Port ${port} on ${host} is in use`, {
        cause,
        hint: "Stop what listens there, or choose another port (0 takes any free one).",
      });
    case "EACCES":
      return new GatewayError("forbidden", `Port ${port} on ${host} may not be used by this user`, { cause });
    default:
      return new GatewayError("invalid_params", `Cannot listen on ${host}, port ${port}: ${cause.message}`, { cause });
  }
}
