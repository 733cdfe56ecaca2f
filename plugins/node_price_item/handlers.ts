import { choiceField, type Handlers, invalid, refuseWhenUsed, textField, type UseCheck } from "edgehelm";
import { errors } from "./errors.ts";
import type { NodePriceItemService } from "./proto/service_node_price_item_pb.ts";
import type { NodePriceItemRow, NodePriceItemStore } from "./store.ts";

/** What a price can be for. */
export const TRAFFIC = "traffic";

export function nodePriceItemHandlers(
  items: NodePriceItemStore,
  uses: readonly UseCheck[],
): Handlers<typeof NodePriceItemService> {
  return {
    async createNodePriceItem(request, call) {
      const item = { ...step(request), type: choiceField("type", request.type, [TRAFFIC]) };
      const { id } = await items.insert.one(call, item);
      return { NodePriceItemId: id };
    },

    async updateNodePriceItem(request, call) {
      const { id } = await items.require(call, "NodePriceItemId", request.NodePriceItemId);
      await items.update.run(call, { id, ...step(request), isOn: request.isOn });
      return {};
    },

    async deleteNodePriceItem({ NodePriceItemId }, call) {
      const { id } = await items.require(call, "NodePriceItemId", NodePriceItemId);
      await refuseWhenUsed(call, id, uses, (users) => errors.in_use(id, users));
      await items.remove.run(call, { id });
      return {};
    },

    async findAllEnabledNodePriceItems({ type }, call) {
      return { NodePriceItems: (await items.ofType.all(call, { type: type || TRAFFIC })).map(itemMessage) };
    },

    async findAllAvailableNodePriceItems({ type }, call) {
      const rows = await items.ofType.all(call, { type: type || TRAFFIC });
      return { NodePriceItems: rows.filter(({ isOn }) => isOn === 1n).map(itemMessage) };
    },

    async findEnabledNodePriceItem({ NodePriceItemId }, call) {
      const item = await items.byId.first(call, { id: NodePriceItemId });
      return item === undefined ? {} : { NodePriceItem: itemMessage(item) };
    },
  };
}

interface Step {
  readonly name: string;
  readonly bitsFrom: bigint;
  readonly bitsTo: bigint;
}

function step({ name, bitsFrom, bitsTo }: Step): Step {
  if (bitsFrom < 0n) throw invalid("bitsFrom", `must not be negative, got ${bitsFrom}`);
  if (bitsTo !== 0n && bitsTo <= bitsFrom) {
    throw invalid("bitsTo", `must be 0, for no end, or more than bitsFrom (${bitsFrom}), got ${bitsTo}`);
  }
  return { name: textField("name", name, { min: 1 }), bitsFrom, bitsTo };
}

function itemMessage({ id, isOn, name, type, bitsFrom, bitsTo }: NodePriceItemRow) {
  return { id, isOn: isOn === 1n, name, type, bitsFrom, bitsTo };
}
