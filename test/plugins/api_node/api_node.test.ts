import { as } from "edgehelm/testing";
import { expect, test } from "vitest";
import { current, edgehelm, operator, rpc, useKernel } from "./rig.ts";

useKernel();

function bytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

async function all() {
  return (await edgehelm.call(operator, rpc.findAllEnabledAPINodes, {})).apiNodes;
}

test("an admin creates an API node, makes it primary, and deletes it", async () => {
  const main = await current();
  const listen = { isOn: true, listen: [{ protocol: "https", portRange: "8003" }] };
  const { apiNodeId } = await edgehelm.call(operator, rpc.createAPINode, {
    name: " east ",
    description: "the eastern one",
    httpsJSON: bytes(listen),
    accessAddrsJSON: bytes([
      { protocol: "https", host: "api.example.com", portRange: "8003" },
      { protocol: "http", host: "2001:db8::1", portRange: "80" },
    ]),
  });
  expect((await edgehelm.call(operator, rpc.findEnabledAPINode, { apiNodeId })).apiNode).toMatchObject({
    name: "east",
    isOn: false,
    isPrimary: false,
    RestIsOn: false,
    httpsJSON: bytes(listen),
    accessAddrs: ["https://api.example.com:8003", "http://[2001:db8::1]:80"],
  });
  const update = { apiNodeId, name: "east", isOn: true, restIsOn: true, isPrimary: true };
  await edgehelm.call(operator, rpc.updateAPINode, update);
  expect((await all()).map(({ name, isPrimary, isOn }) => [name, isPrimary, isOn]))
    .toEqual([["east", true, true], ["main", false, true]]);
  expect((await all())[0]!.httpsJSON).toEqual(bytes(listen));
  expect((await edgehelm.call(operator, rpc.countAllEnabledAPINodes, {})).count).toBe(2n);

  await expect(edgehelm.call(operator, rpc.deleteAPINode, { apiNodeId }))
    .rejects.toMatchObject({ code: 409, reason: "api_node.is_primary" });
  await expect(edgehelm.call(operator, rpc.updateAPINode, { ...update, isPrimary: false }))
    .rejects.toMatchObject({ code: 409, reason: "api_node.primary_needed" });
  await expect(edgehelm.call(operator, rpc.deleteAPINode, { apiNodeId: main.id }))
    .rejects.toMatchObject({ code: 409, reason: "api_node.is_current" });
  await edgehelm.call(operator, rpc.updateAPINode, { apiNodeId: main.id, name: "main", isPrimary: true });
  expect((await edgehelm.call(operator, rpc.countAllEnabledAndOnAPINodes, {})).count).toBe(1n);
  await edgehelm.call(operator, rpc.deleteAPINode, { apiNodeId });
  const { apiNodes } = await edgehelm.call(operator, rpc.listEnabledAPINodes, { size: 5n });
  expect(apiNodes.map(({ id }) => id)).toEqual([main.id]);
});

test("nodes find the API nodes", async () => {
  await current();
  for (const caller of [as.node(), as.dns()]) {
    expect((await edgehelm.call(caller, rpc.findAllEnabledAPINodes, {})).apiNodes).toHaveLength(1);
  }
  await expect(edgehelm.call(as.user(7n), rpc.findAllEnabledAPINodes, {})).rejects.toMatchObject({ code: 403 });
});

test.each([
  [{ name: "" }, "name: must not be empty"],
  [{ httpJSON: bytes({ listen: [{ protocol: "https", portRange: "80" }] }) }, "httpJSON.listen[0].protocol: must be"],
  [
    { httpsJSON: bytes({ listen: [{ protocol: "https", portRange: "80-90" }] }) },
    "httpsJSON.listen[0].portRange: must",
  ],
  [{ httpsJSON: bytes({ sslPolicyRef: { isOn: true } }) }, "httpsJSON.sslPolicyRef.sslPolicyId: must be a positive id"],
  [{ accessAddrsJSON: bytes([{ protocol: "http", portRange: "80" }]) }, "accessAddrsJSON[0].host: must not be empty"],
  [
    { accessAddrsJSON: bytes([{ protocol: "http", host: "a/b", portRange: "80" }]) },
    "accessAddrsJSON[0].host: must be",
  ],
  [{ restHTTPJSON: bytes([]) }, "restHTTPJSON"],
])("createAPINode refuses %j", async (wrong, message) => {
  await expect(edgehelm.call(operator, rpc.createAPINode, { name: "node", ...wrong }))
    .rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) });
});

test("changes of an API node that does not exist are refused", async () => {
  const notFound = { code: 404, reason: "api_node.not_found", message: "API node 9999 does not exist" };
  await expect(edgehelm.call(operator, rpc.updateAPINode, { apiNodeId: 9999n, name: "x" })).rejects.toMatchObject(
    notFound,
  );
  await expect(edgehelm.call(operator, rpc.deleteAPINode, { apiNodeId: 9999n })).rejects.toMatchObject(notFound);
  expect((await edgehelm.call(operator, rpc.findEnabledAPINode, { apiNodeId: 9999n })).apiNode).toBeUndefined();
});
