import { as, TestClock, testKernel } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { probePlugin } from "../probe.ts";

describe("tokens", () => {
  const clock = new TestClock();

  test("expire, even if they are cached", async () => {
    await using kernel = await testKernel({ plugins: [probePlugin(() => ({}))], clock });
    const headers = { "x-cloud-access-token": (await kernel.token(as.admin()))! };
    const look = async () => {
      const request = new Request("http://edgehelm.test/ProbeService/look", { method: "POST", headers });
      return (await (await kernel.fetch(request)).json()).code;
    };
    expect(await look()).toBe(200);
    clock.advance(7201);
    expect(await look()).toBe(401);
  });

  test("stay valid after the rotation of the key that signed them", async () => {
    await using kernel = await testKernel({ plugins: [probePlugin(() => ({}))], clock });
    clock.advance(31 * 86_400 - 3600);
    const headers = { "x-cloud-access-token": (await kernel.token(as.admin()))! };
    clock.advance(3600);
    const [before] = (await kernel.kernel.jwks()).keys;
    await kernel.kernel.runJob("kernel.rotate_keys");
    clock.advance(120);
    const { keys } = await kernel.kernel.jwks();
    expect(keys.length).toBe(2);
    const request = new Request("http://edgehelm.test/ProbeService/look", { method: "POST", headers });
    expect((await (await kernel.fetch(request)).json()).code).toBe(200);
    clock.advance(3 * 3600);
    await kernel.kernel.runJob("kernel.rotate_keys");
    expect((await kernel.kernel.jwks()).keys.map(({ kid }) => kid)).not.toContain(before!.kid);
  });
});
