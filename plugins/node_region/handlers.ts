import { type Call, type Handlers, idField, listField, mayAccessOwner, textField, type UseCheck } from "edgehelm";
import { NodeRegionSchema } from "edgehelm/proto/models/node_pb.js";
import { deleteRow, rowMessage, updateRow } from "edgehelm/rows";
import { rateField, rateNumber } from "edgehelm/fields";
import type { NodePriceItems } from "../node_price_item/contract.ts";
import { errors } from "./errors.ts";
import type { NodeRegionService } from "./proto/service_node_region_pb.ts";
import type { NodeRegionRow, NodeRegionStore } from "./store.ts";

export const regionSummary = rowMessage(NodeRegionSchema, ["id", "isOn", "name"]);
const regionMessage = rowMessage(NodeRegionSchema, ["id", "isOn", "name", "description"]);

/** Returns regions with their prices, which only admins see. */
export async function regionsWithPrices(call: Call, regions: NodeRegionStore, rows: readonly NodeRegionRow[]) {
  if (!mayAccessOwner(call.caller, 0n)) return rows.map(regionSummary);
  const prices = await regions.pricesOf.all(call, { ids: rows.map(({ id }) => id) });
  const pricesOf = Map.groupBy(prices, ({ nodeRegionId }) => nodeRegionId);
  return rows.map((row) => ({ ...regionMessage(row), pricesJSON: priceObject(pricesOf.get(row.id) ?? []) }));
}

export function nodeRegionHandlers(
  regions: NodeRegionStore,
  priceItems: NodePriceItems | undefined,
  uses: readonly UseCheck[],
): Handlers<typeof NodeRegionService> {
  const regionMessages = (call: Call, rows: readonly NodeRegionRow[]) => regionsWithPrices(call, regions, rows);

  return {
    async createNodeRegion(request, call) {
      const { id } = await regions.insert.one(call, textFields(request));
      return { nodeRegionId: id };
    },

    updateNodeRegion: updateRow(regions, "nodeRegionId", regions.update, (request) => {
      return { ...textFields(request), isOn: request.isOn };
    }),
    deleteNodeRegion: deleteRow(regions, "nodeRegionId", { uses, inUse: errors.in_use }),

    async findAllEnabledNodeRegions(_request, call) {
      return { nodeRegions: await regionMessages(call, await regions.list.all(call, {})) };
    },

    async findAllAvailableNodeRegions(_request, call) {
      return { nodeRegions: await regionMessages(call, await regions.list.all(call, { isOn: true })) };
    },

    async updateNodeRegionOrders({ nodeRegionIds }, call) {
      const ids = listField("nodeRegionIds", nodeRegionIds, idField, { unique: true });
      for (const [index, { id }] of (await regions.requireAll(call, ids)).entries()) {
        await regions.setOrder.defer(call, { id, order: BigInt(ids.length - index) });
      }
      return {};
    },

    async findEnabledNodeRegion({ nodeRegionId }, call) {
      const [nodeRegion] = await regionMessages(call, await regions.byIds.all(call, { ids: [nodeRegionId] }));
      return { nodeRegion };
    },

    async updateNodeRegionPrice(request, call) {
      const price = rateField("price", request.price, { float: true });
      const { id: nodeRegionId } = await regions.require(call, "nodeRegionId", request.nodeRegionId);
      const nodePriceItemId = idField("nodeItemId", request.nodeItemId);
      await priceItems?.requirePriceItem(call, "nodeItemId", nodePriceItemId);
      if (price === 0n) await regions.deletePrice.run(call, { nodeRegionId, nodePriceItemId });
      else await regions.setPrice.run(call, { nodeRegionId, nodePriceItemId, price });
      return {};
    },
  };
}

function textFields({ name, description }: { readonly name: string; readonly description: string }) {
  return {
    name: textField("name", name, { min: 1 }),
    description: textField("description", description, { max: 1000 }),
  };
}

function priceObject(prices: readonly { readonly nodePriceItemId: bigint; readonly price: bigint }[]): Uint8Array {
  const entries = prices.map(({ nodePriceItemId, price }) => [String(nodePriceItemId), rateNumber(price)]);
  return new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries)));
}
