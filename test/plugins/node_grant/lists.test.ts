import { testKernel } from "edgehelm/testing";
import { expect, test } from "vitest";
import plugin from "../../../plugins/node_grant/plugin.ts";
import { admin, byPassword, create, edgehelm, rpc, suggested, useKernel } from "./rig.ts";

useKernel();

test("lists are newest first, filtered and counted", async () => {
  await using kernel = await testKernel({ plugins: [plugin] });
  for (const [name, username] of [["one", "root"], ["two", "deploy"], ["three", "root"]]) {
    await kernel.call(admin, rpc.createNodeGrant, { ...byPassword, name: name!, username: username! });
  }
  const listNames = async (request: object) =>
    (await kernel.call(admin, rpc.listEnabledNodeGrants, request)).nodeGrants.map(({ name }) => name);
  expect(await listNames({})).toEqual(["three", "two", "one"]);
  expect(await listNames({ offset: 1n, size: 1n })).toEqual(["two"]);
  expect(await listNames({ keyword: "ROOT" })).toEqual(["three", "one"]);
  expect((await kernel.call(admin, rpc.countAllEnabledNodeGrants, {})).count).toBe(3n);
  expect((await kernel.call(admin, rpc.countAllEnabledNodeGrants, { keyword: "depl" })).count).toBe(1n);
});

test("findSuggestNodeGrants returns the suggested grants and skips those that do not exist", async () => {
  const [one, two] = [await create(byPassword), await create(byPassword)];
  suggested.push(one, two, one, 9999n);
  const { nodeGrants } = await edgehelm.call(admin, rpc.findSuggestNodeGrants, { nodeClusterId: 5n });
  expect(nodeGrants.map(({ id }) => id)).toEqual([two, one]);
  expect((await edgehelm.call(admin, rpc.findSuggestNodeGrants, { nodeClusterId: 6n })).nodeGrants).toEqual([]);
});

test("testNodeGrant is unavailable, but checks its request first", async () => {
  const nodeGrantId = await create(byPassword);
  const request = { nodeGrantId, host: "10.0.0.1", port: 22 };
  await expect(edgehelm.call(admin, rpc.testNodeGrant, request)).rejects.toMatchObject({ code: 503 });
  await expect(edgehelm.call(admin, rpc.testNodeGrant, { ...request, port: 0 })).rejects.toMatchObject({ code: 400 });
  await expect(edgehelm.call(admin, rpc.testNodeGrant, { ...request, nodeGrantId: 9999n }))
    .rejects.toMatchObject({ code: 404 });
});
