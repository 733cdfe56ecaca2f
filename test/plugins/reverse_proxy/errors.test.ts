import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { ada, bytes, edgehelm, origin, refs, rpc, useKernel } from "./rig.ts";

const bob = as.user(8n);

useKernel();

describe("a request is refused for", () => {
  test.each([
    [
      { schedulingJSON: { code: "best" } },
      'schedulingJSON.code: must be one of random, roundRobin, hash, sticky, got "best"',
    ],
    [{ schedulingJSON: { code: "hash" } }, "schedulingJSON.options.key: must not be empty"],
    [
      { schedulingJSON: { code: "sticky", options: { type: "cookies" } } },
      "schedulingJSON.options.type: must be one of",
    ],
    [
      { schedulingJSON: { code: "sticky", options: { type: "cookie" } } },
      "schedulingJSON.options.param: must be a name",
    ],
    [{ schedulingJSON: [] }, "schedulingJSON: expected a JSON object"],
    [{ primaryOriginsJSON: {} }, "primaryOriginsJSON: must be a JSON array"],
    [{ primaryOriginsJSON: [{ originId: "x" }] }, "primaryOriginsJSON[0].originId: expected"],
    [{ primaryOriginsJSON: [{ isOn: true }] }, "primaryOriginsJSON[0].originId: must be a positive id"],
    [{ backupOriginsJSON: [{ originId: 999 }] }, "backupOriginsJSON[0].originId: origin 999 does not exist"],
  ])("%j", async (request, message) => {
    expect(await edgehelm.post("/ReverseProxyService/createReverseProxy", request, ada))
      .toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });

  test("an origin listed twice", async () => {
    const id = await origin();
    await expect(edgehelm.call(ada, rpc.createReverseProxy, { primaryOriginsJSON: refs(id, id) }))
      .rejects.toMatchObject({ code: 400, message: `primaryOriginsJSON[1].originId: ${id} is listed twice` });
  });

  test("another user's origin, with the error for an origin that does not exist", async () => {
    const his = await origin(bob);
    await expect(edgehelm.call(ada, rpc.createReverseProxy, { primaryOriginsJSON: refs(his) })).rejects.toMatchObject({
      code: 400,
      message: `primaryOriginsJSON[0].originId: origin ${his} does not exist`,
    });
  });

  test("a missing custom host name and an invalid version of the PROXY protocol", async () => {
    const { reverseProxyId } = await edgehelm.call(ada, rpc.createReverseProxy, {});
    await expect(edgehelm.call(ada, rpc.updateReverseProxy, { reverseProxyId, requestHostType: 2 }))
      .rejects.toMatchObject({ code: 400, message: "requestHost: must not be empty" });
    const wrong = { reverseProxyId, proxyProtocolJSON: bytes({ isOn: true, version: 3 }) };
    await expect(edgehelm.call(ada, rpc.updateReverseProxy, wrong))
      .rejects.toMatchObject({ code: 400, message: "proxyProtocolJSON.version: must be 1 or 2, got 3" });
  });
});
