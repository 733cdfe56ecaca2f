import { choiceField, type Handlers, invalid, textField, type UseCheck } from "edgehelm";
import { createRow, deleteRow, findRow, listRows, rowMessage, updateRow } from "edgehelm/rows";
import { errors } from "./errors.ts";
import { NodePriceItemSchema, type NodePriceItemService } from "./proto/service_node_price_item_pb.ts";
import type { NodePriceItemStore } from "./store.ts";

/** The only type of usage that can be priced. */
export const TRAFFIC = "traffic";

const itemMessage = rowMessage(NodePriceItemSchema, ["id", "isOn", "name", "type", "bitsFrom", "bitsTo"]);

export function nodePriceItemHandlers(
  items: NodePriceItemStore,
  uses: readonly UseCheck[],
): Handlers<typeof NodePriceItemService> {
  return {
    createNodePriceItem: createRow("NodePriceItemId", items.insert, (request) => {
      return { ...tierFields(request), type: choiceField("type", request.type, [TRAFFIC]) };
    }),
    updateNodePriceItem: updateRow(items, "NodePriceItemId", items.update, (request) => {
      return { ...tierFields(request), isOn: request.isOn };
    }),
    deleteNodePriceItem: deleteRow(items, "NodePriceItemId", { uses, inUse: errors.in_use }),
    findEnabledNodePriceItem: findRow(items, "NodePriceItemId", "NodePriceItem", itemMessage),
    findAllEnabledNodePriceItems: listRows(items.list, "NodePriceItems", itemMessage, ({ type }) => {
      return { type: type || TRAFFIC };
    }),
    findAllAvailableNodePriceItems: listRows(items.list, "NodePriceItems", itemMessage, ({ type }) => {
      return { type: type || TRAFFIC, isOn: true };
    }),
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
