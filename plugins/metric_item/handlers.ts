import { type Call, choiceField, type Handlers, numberField, textField, type UseCheck } from "edgehelm";
import { MetricItemSchema } from "edgehelm/proto/models/metric_item_pb.js";
import { countRows, deleteRow, findRow, pageRows, rowMessage } from "edgehelm/rows";
import type { NodeClusters } from "../node_cluster/contract.ts";
import type { MetricItemListener } from "./contract.ts";
import { errors } from "./errors.ts";
import { CATEGORIES, type Category, keysField, PERIOD_UNITS, valueField } from "./rules.ts";
import type {
  CreateMetricItemRequest,
  MetricItemService,
  UpdateMetricItemRequest,
} from "./proto/service_metric_item_pb.ts";
import type { MetricItemRow, MetricItemStore } from "./store.ts";

const MAX_PERIODS = 100_000;

export interface Deps {
  readonly items: MetricItemStore;
  readonly clusters: NodeClusters | undefined;
  readonly uses: readonly UseCheck[];
  readonly listeners: readonly MetricItemListener[];
}

/** Returns a metric as responses contain it. */
export const itemMessage = rowMessage(MetricItemSchema, [
  "id",
  "isOn",
  "code",
  "category",
  "name",
  "period",
  "periodUnit",
  "value",
  "isPublic",
  "expiresPeriod",
], ({ keys }: MetricItemRow) => ({
  keys: JSON.parse(keys) as string[],
}));

export function metricItemHandlers(
  { items, clusters, uses, listeners }: Deps,
): Handlers<typeof MetricItemService> {
  /** Marks every cluster for update if the metric is or was public, and notifies the listeners otherwise. */
  async function notify(call: Call, id: bigint, isPublic: boolean): Promise<void> {
    if (isPublic) await clusters?.configChangedEverywhere(call);
    else for (const listener of listeners) await listener.changed(call, id);
  }

  return {
    async createMetricItem(request, call) {
      const category = choiceField("category", request.category, CATEGORIES);
      const code = textField("code", request.code, { max: 64 });
      const fields = itemFields(request, category);
      const created = await items.insert.first(call, { ...fields, category, code });
      if (created === undefined) throw errors.code_taken(code);
      await notify(call, created.id, fields.isPublic);
      return { metricItemId: created.id };
    },

    async updateMetricItem(request, call) {
      const { id, category, isPublic } = await items.require(call, "metricItemId", request.metricItemId);
      const fields = itemFields(request, category as Category);
      await items.update.run(call, { id, ...fields, isOn: request.isOn });
      await notify(call, id, fields.isPublic || isPublic === 1n);
      return {};
    },

    deleteMetricItem: deleteRow(items, "metricItemId", {
      uses,
      inUse: errors.in_use,
      deleted: (call, { id, isPublic }) => notify(call, id, isPublic === 1n),
    }),
    findEnabledMetricItem: findRow(items, "metricItemId", "metricItem", itemMessage),
    countAllEnabledMetricItems: countRows(items.list, filterOf),
    listEnabledMetricItems: pageRows(items.list, "metricItems", itemMessage, filterOf),
  };
}

function filterOf({ category }: { readonly category: string }) {
  return { category: category === "" ? "" : choiceField("category", category, CATEGORIES) };
}

function itemFields(request: CreateMetricItemRequest | UpdateMetricItemRequest, category: Category) {
  return {
    name: textField("name", request.name, { min: 1 }),
    keys: JSON.stringify(keysField("keys", request.keys)),
    period: numberField("period", request.period, { min: 1, max: MAX_PERIODS }),
    periodUnit: choiceField("periodUnit", request.periodUnit, PERIOD_UNITS),
    expiresPeriod: numberField("expiresPeriod", request.expiresPeriod, { max: MAX_PERIODS }),
    value: valueField("value", request.value, category),
    isPublic: request.isPublic,
  };
}
