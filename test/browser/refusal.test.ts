import { beforeAll, describe, expect, test } from "vitest";
import { servePage } from "./page-server.js";
import { Story, TRANSPORTS } from "./story.js";
import { Tab } from "./tab.js";

let origin: string;
let foreign: string;
beforeAll(async () => {
  origin = await servePage();
  foreign = await servePage();
});

describe.each(TRANSPORTS)("over %s", (transport) => {
  test("a page is refused, and sees why, when its origin is not allowed or its token is not right", async () => {
    const story = await Story.begin(origin, { rounds: 0, deltas: 0 });
    const { token, ...withoutToken } = story.options(transport);

    const stranger = await (await Tab.open(foreign)).follow({ ...withoutToken, token });
    expect(await stranger.refusal()).toMatch(/^connection: The connection to the gateway failed/);
    expect(await stranger.refusal()).toContain(`--allow-origin ${foreign}`);

    const nobody = await (await Tab.open(origin)).follow(withoutToken);
    expect(await nobody.refusal()).toMatch(/^unauthorized: The token is missing\nSend/);

    const wrong = await (await Tab.open(origin)).follow({ ...withoutToken, token: token.replace(/.$/, "_") });
    expect(await wrong.refusal()).toMatch(/^unauthorized: The token is wrong\nSend/);
  });
});
