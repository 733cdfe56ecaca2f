import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { definePlugin } from "edgehelm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import priceItems from "../../../plugins/node_price_item/plugin.ts";
import { NodePriceItemService } from "../../../plugins/node_price_item/proto/service_node_price_item_pb.ts";
import { NodeRegionUses } from "../../../plugins/node_region/contract.ts";
import plugin from "../../../plugins/node_region/plugin.ts";
import { NodeRegionService } from "../../../plugins/node_region/proto/service_node_region_pb.ts";

const {
  createNodeRegion,
  deleteNodeRegion,
  findAllAvailableNodeRegions,
  findAllEnabledNodeRegions,
  findEnabledNodeRegion,
  updateNodeRegion,
  updateNodeRegionOrders,
  updateNodeRegionPrice,
} = NodeRegionService.method;
const { createNodePriceItem, deleteNodePriceItem } = NodePriceItemService.method;
const admin = as.admin();
/** The regions that are in use by a node. */
const usedRegions = new Set<bigint>();

const nodes = definePlugin({
  manifest: {
    name: "nodes",
    version: "1.0.0",
    kernel: "^1",
    services: [],
    tables: [],
    contributes: ["node_region.uses"],
  },
  setup: ({ contribute }) =>
    contribute(NodeRegionUses, { referencesTo: async (_call, id) => usedRegions.has(id) ? ['node "edge1"'] : [] }),
});

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin, priceItems, nodes] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function createRegion(name: string, description = ""): Promise<bigint> {
  return (await edgehelm.call(admin, createNodeRegion, { name, description })).nodeRegionId;
}

async function createItem(name: string): Promise<bigint> {
  const request = { name, type: "traffic", bitsFrom: 0n, bitsTo: 0n };
  return (await edgehelm.call(admin, createNodePriceItem, request)).NodePriceItemId;
}

async function pricesOf(nodeRegionId: bigint): Promise<unknown> {
  const { nodeRegion } = await edgehelm.call(admin, findEnabledNodeRegion, { nodeRegionId });
  return JSON.parse(new TextDecoder().decode(nodeRegion?.pricesJSON));
}

test.each(["http", "connect", "grpcweb"] as const)("a region is created, changed and deleted over %s", async (wire) => {
  const { nodeRegionId } = await edgehelm.call(admin, createNodeRegion, { name: " Oslo ", description: "north" }, wire);
  const found = await edgehelm.call(admin, findEnabledNodeRegion, { nodeRegionId }, wire);
  expect(found.nodeRegion).toMatchObject({ id: nodeRegionId, name: "Oslo", description: "north", isOn: true });

  await edgehelm.call(admin, updateNodeRegion, { nodeRegionId, name: "Bergen", description: "west" }, wire);
  const all = await edgehelm.call(admin, findAllEnabledNodeRegions, {}, wire);
  expect(all.nodeRegions.find(({ id }) => id === nodeRegionId)).toMatchObject({ name: "Bergen", isOn: false });
  const available = await edgehelm.call(admin, findAllAvailableNodeRegions, {}, wire);
  expect(available.nodeRegions.map(({ id }) => id)).not.toContain(nodeRegionId);

  await edgehelm.call(admin, deleteNodeRegion, { nodeRegionId }, wire);
  expect(await edgehelm.call(admin, findEnabledNodeRegion, { nodeRegionId }, wire)).not.toHaveProperty("nodeRegion");
  await expect(edgehelm.call(admin, deleteNodeRegion, { nodeRegionId }, wire))
    .rejects.toMatchObject({ code: 404, reason: "node_region.not_found" });
});

describe("updateNodeRegionOrders", () => {
  test("sets the order of the given regions and leaves the others unchanged", async () => {
    const [a, b, c] = [await createRegion("a"), await createRegion("b"), await createRegion("c")];
    await edgehelm.call(admin, updateNodeRegionOrders, { nodeRegionIds: [c!, a!] });
    const { nodeRegions } = await edgehelm.call(admin, findAllEnabledNodeRegions, {});
    expect(nodeRegions.map(({ id }) => id).filter((id) => [a, b, c].includes(id))).toEqual([c, a, b]);
  });

  test("refuses a region that does not exist, without changing the order", async () => {
    const [a, b] = [await createRegion("first"), await createRegion("second")];
    await edgehelm.call(admin, updateNodeRegionOrders, { nodeRegionIds: [b, a] });
    const order = async () =>
      (await edgehelm.call(admin, findAllEnabledNodeRegions, {})).nodeRegions.map(({ id }) => id);
    const before = await order();
    await expect(edgehelm.call(admin, updateNodeRegionOrders, { nodeRegionIds: [a, 9999n] }))
      .rejects.toMatchObject({ code: 404 });
    await expect(edgehelm.call(admin, updateNodeRegionOrders, { nodeRegionIds: [a, a] }))
      .rejects.toMatchObject({ code: 400, message: `nodeRegionIds[1]: ${a} is listed twice` });
    expect(await order()).toEqual(before);
  });
});

describe("updateNodeRegionPrice", () => {
  test.each(["http", "grpcweb"] as const)("stores a price exactly over %s", async (wire) => {
    const [nodeRegionId, nodeItemId] = [await createRegion("priced"), await createItem("all traffic")];
    await edgehelm.call(admin, updateNodeRegionPrice, { nodeRegionId, nodeItemId, price: 0.0123 }, wire);
    expect(await pricesOf(nodeRegionId)).toEqual({ [`${nodeItemId}`]: 0.0123 });
    await edgehelm.call(admin, updateNodeRegionPrice, { nodeRegionId, nodeItemId, price: 0 }, wire);
    expect(await pricesOf(nodeRegionId)).toEqual({});
  });

  test("refuses a negative price and an item that does not exist", async () => {
    const [nodeRegionId, nodeItemId] = [await createRegion("refusing"), await createItem("some")];
    await expect(edgehelm.call(admin, updateNodeRegionPrice, { nodeRegionId, nodeItemId, price: -1 }))
      .rejects.toMatchObject({ code: 400, message: "price: must not be negative, got -1" });
    await expect(edgehelm.call(admin, updateNodeRegionPrice, { nodeRegionId, nodeItemId: 9999n, price: 1 }))
      .rejects.toMatchObject({ code: 400, message: "nodeItemId: price item 9999 does not exist" });
  });
});

describe("deleteNodeRegion", () => {
  test("is refused while the region is in use", async () => {
    const nodeRegionId = await createRegion("used");
    usedRegions.add(nodeRegionId);
    await expect(edgehelm.call(admin, deleteNodeRegion, { nodeRegionId })).rejects.toMatchObject({
      code: 409,
      reason: "node_region.in_use",
      message: `region ${nodeRegionId} is used by node "edge1"`,
    });
  });

  test("ends the use of its price items", async () => {
    const [nodeRegionId, NodePriceItemId] = [await createRegion("Lima"), await createItem("night")];
    await edgehelm.call(admin, updateNodeRegionPrice, { nodeRegionId, nodeItemId: NodePriceItemId, price: 2 });
    await expect(edgehelm.call(admin, deleteNodePriceItem, { NodePriceItemId })).rejects.toMatchObject({
      code: 409,
      message: `price item ${NodePriceItemId} is used by region "Lima"`,
    });
    await edgehelm.call(admin, deleteNodeRegion, { nodeRegionId });
    await edgehelm.call(admin, deleteNodePriceItem, { NodePriceItemId });
  });
});

test("without the plugin node_price_item, any id is accepted", async () => {
  await using kernel = await testKernel({ plugins: [plugin] });
  const { nodeRegionId } = await kernel.call(admin, createNodeRegion, { name: "alone" });
  await kernel.call(admin, updateNodeRegionPrice, { nodeRegionId, nodeItemId: 5n, price: 1.5 });
  const { nodeRegion } = await kernel.call(admin, findEnabledNodeRegion, { nodeRegionId });
  expect(new TextDecoder().decode(nodeRegion?.pricesJSON)).toBe('{"5":1.5}');
});

test("an empty name is refused", async () => {
  await expect(createRegion(" ")).rejects.toMatchObject({ code: 400, message: "name: must not be empty" });
});
