import { z } from "zod";

/** What every verb takes that speaks to a gateway which runs already. */
export const GATEWAY_FLAGS = {
  db: { type: "string" },
  url: { type: "string" },
  "token-file": { type: "string" },
} as const;

export const GATEWAY_SHAPE = {
  db: z.string().min(1).optional(),
  url: z.string().min(1).optional(),
  "token-file": z.string().min(1).optional(),
} as const;

export type GatewayOptions = z.infer<z.ZodObject<typeof GATEWAY_SHAPE>>;

export const GATEWAY_USAGE = `  --db FILE            the gateway that serves this database; default: that of \`agentwire serve\`
  --url URL            the gateway at this address
  --token-file FILE    its token, with --url; default: the one in the state folder`;
