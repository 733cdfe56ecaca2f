import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { definePlugin } from "edgehelm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { NodePriceItems, type NodePriceTier } from "../../../plugins/node_price_item/contract.ts";
import plugin from "../../../plugins/node_price_item/plugin.ts";
import { NodePriceItemService } from "../../../plugins/node_price_item/proto/service_node_price_item_pb.ts";

const {
  createNodePriceItem,
  deleteNodePriceItem,
  findAllAvailableNodePriceItems,
  findAllEnabledNodePriceItems,
  findEnabledNodePriceItem,
  updateNodePriceItem,
} = NodePriceItemService.method;
const admin = as.admin();

let items: NodePriceItems;
const consumer = definePlugin({
  manifest: { name: "consumer", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  requires: { items: NodePriceItems },
  setup: ({ deps }) => void (items = deps.items),
});

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin, consumer] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function create(name: string, bitsFrom: bigint, bitsTo: bigint): Promise<bigint> {
  const request = { name, type: "traffic", bitsFrom, bitsTo };
  return (await edgehelm.call(admin, createNodePriceItem, request)).NodePriceItemId;
}

function tiers(): Promise<readonly NodePriceTier[]> {
  return items.trafficTiers(edgehelm.kernel.systemCall("test"));
}

test.each(["http", "connect", "grpcweb"] as const)(
  "price items are created, changed, listed and deleted over %s",
  async (wire) => {
    const high = await create("high", 1000n, 0n);
    const low = await create("low", 0n, 1000n);
    const { NodePriceItems } = await edgehelm.call(admin, findAllEnabledNodePriceItems, { type: "traffic" }, wire);
    expect(NodePriceItems.map(({ id }) => id)).toEqual([low, high]);
    expect((await tiers()).map(({ id }) => id)).toEqual([high, low]);

    const request = { NodePriceItemId: low, name: "lowest", isOn: false, bitsFrom: 0n, bitsTo: 500n };
    await edgehelm.call(admin, updateNodePriceItem, request, wire);
    const { NodePriceItem } = await edgehelm.call(admin, findEnabledNodePriceItem, { NodePriceItemId: low }, wire);
    expect(NodePriceItem).toMatchObject({ name: "lowest", type: "traffic", isOn: false, bitsFrom: 0n, bitsTo: 500n });
    const available = await edgehelm.call(admin, findAllAvailableNodePriceItems, {}, wire);
    expect(available.NodePriceItems.map(({ id }) => id)).toEqual([high]);
    expect((await tiers()).map(({ id }) => id)).toEqual([high]);

    for (const NodePriceItemId of [low, high]) {
      await edgehelm.call(
        admin,
        deleteNodePriceItem,
        { NodePriceItemId },
        wire,
      );
    }
    const none = await edgehelm.call(admin, findEnabledNodePriceItem, { NodePriceItemId: low }, wire);
    expect(none).not.toHaveProperty("NodePriceItem");
    await expect(edgehelm.call(admin, deleteNodePriceItem, { NodePriceItemId: low }, wire))
      .rejects.toMatchObject({ code: 404, reason: "node_price_item.not_found" });
  },
);

test.each([
  [{ name: "" }, "name: must not be empty"],
  [{ type: "requests" }, 'type: must be one of traffic, got "requests"'],
  [{ bitsFrom: -1n }, "bitsFrom: must not be negative, got -1"],
  [{ bitsFrom: 5n, bitsTo: 5n }, "bitsTo: must be 0 (unbounded) or greater than bitsFrom (5), got 5"],
])("createNodePriceItem refuses %o", async (wrong, message) => {
  const valid = { name: "all", type: "traffic", bitsFrom: 0n, bitsTo: 0n };
  await expect(edgehelm.call(admin, createNodePriceItem, { ...valid, ...wrong }))
    .rejects.toMatchObject({ code: 400, message });
});
