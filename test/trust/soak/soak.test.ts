import { expect, test } from "vitest";
import { Random } from "../../harness/random.ts";
import { KEY } from "../../harness/server.ts";
import { SERVER_WIRES } from "../server_wires.ts";
import { MixedLoad } from "./mixed_load.ts";
import { createObjects } from "./objects.ts";
import { slopeOf } from "./process_samples.ts";
import { withFullInstallation } from "./soak.ts";

test("every call of the load has the response that it should have, over every wire", async () => {
  await withFullInstallation(async (server) => {
    const load = new MixedLoad(server, await createObjects(server, KEY), new Random(1));
    await load.once();
    load.close();
    expect(Object.fromEntries(load.unexpected)).toEqual({});
    expect(load.noResponse).toBe(0);
    expect(load.internal).toBe(0);
    expect(load.calls).toBe(24 * SERVER_WIRES.length);
  });
});

test("the slope is that of the line with the least squares", () => {
  expect(slopeOf([[0, 1], [1, 3], [2, 5]])).toBe(2);
  expect(slopeOf([[0, 0], [1, 3], [2, 0]])).toBe(0);
});
