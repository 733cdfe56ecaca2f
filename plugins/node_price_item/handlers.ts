import { choiceField, type Handlers, invalid, textField, type UseCheck } from "edgehelm";
import { deleteRow, findRow } from "edgehelm/rows";
import { errors } from "./errors.ts";
import type { NodePriceItemService } from "./proto/service_node_price_item_pb.ts";
import type { NodePriceItemRow, NodePriceItemStore } from "./store.ts";

/** The only type of usage that can be priced. */
export const TRAFFIC = "traffic";

/** Implements every operation of the service. */
export function nodePriceItemHandlers(
  items: NodePriceItemStore,
  uses: readonly UseCheck[],
): Handlers<typeof NodePriceItemService> {
  return {
    async createNodePriceItem(request, call) {
      const item = { ...tierFields(request), type: choiceField("type", request.type, [TRAFFIC]) };
      const { id } = await items.insert.one(call, item);
      return { NodePriceItemId: id };
    },

    async updateNodePriceItem(request, call) {
      const { id } = await items.require(call, "NodePriceItemId", request.NodePriceItemId);
      await items.update.run(call, { id, ...tierFields(request), isOn: request.isOn });
      return {};
    },

    deleteNodePriceItem: deleteRow(items, "NodePriceItemId", { uses, inUse: errors.in_use }),

    async findAllEnabledNodePriceItems({ type }, call) {
      return { NodePriceItems: (await items.ofType.all(call, { type: type || TRAFFIC })).map(itemMessage) };
    },

    async findAllAvailableNodePriceItems({ type }, call) {
      const rows = await items.ofType.all(call, { type: type || TRAFFIC });
      return { NodePriceItems: rows.filter(({ isOn }) => isOn === 1n).map(itemMessage) };
    },

    findEnabledNodePriceItem: findRow(items, "NodePriceItemId", "NodePriceItem", itemMessage),
  };
}

interface TierFields {
  readonly name: string;
  readonly bitsFrom: bigint;
  readonly bitsTo: bigint;
}

function tierFields({ name, bitsFrom, bitsTo }: TierFields): TierFields {
  if (bitsFrom < 0n) throw invalid("bitsFrom", `must not be negative, got ${bitsFrom}`);
  if (bitsTo !== 0n && bitsTo <= bitsFrom) {
    throw invalid("bitsTo", `must be 0 (unbounded) or greater than bitsFrom (${bitsFrom}), got ${bitsTo}`);
  }
  return { name: textField("name", name, { min: 1 }), bitsFrom, bitsTo };
}

function itemMessage({ id, isOn, name, type, bitsFrom, bitsTo }: NodePriceItemRow) {
  return { id, isOn: isOn === 1n, name, type, bitsFrom, bitsTo };
}
