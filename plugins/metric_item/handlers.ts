import { type Call, choiceField, type Handlers, numberField, pageOf, textField, type UseCheck } from "edgehelm";
import { findRow, refuseWhenUsed } from "edgehelm/rows";
import type { NodeClusters } from "../node_cluster/contract.ts";
import type { MetricItemListener, MetricItemMessage } from "./contract.ts";
import { errors } from "./errors.ts";
import { CATEGORIES, type Category, keysField, PERIOD_UNITS, valueField } from "./rules.ts";
import type {
  CreateMetricItemRequest,
  MetricItemService,
  UpdateMetricItemRequest,
} from "./proto/service_metric_item_pb.ts";
import type { MetricItemFields, MetricItemRow, MetricItemStore } from "./store.ts";

const MAX_PERIODS = 100_000;

export interface Deps {
  readonly items: MetricItemStore;
  readonly clusters: NodeClusters | undefined;
  readonly uses: readonly UseCheck[];
  readonly listeners: readonly MetricItemListener[];
}

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

    async deleteMetricItem({ metricItemId }, call) {
      const { id, isPublic } = await items.require(call, "metricItemId", metricItemId);
      await refuseWhenUsed(call, id, uses, (names) => errors.in_use(id, names));
      await items.remove.run(call, { id });
      await notify(call, id, isPublic === 1n);
      return {};
    },

    findEnabledMetricItem: findRow(items, "metricItemId", "metricItem", itemMessage),

    async countAllEnabledMetricItems({ category }, call) {
      if (category === "") return await items.count.one(call, {});
      return await items.countOfCategory.one(call, { category: choiceField("category", category, CATEGORIES) });
    },

    async listEnabledMetricItems(request, call) {
      const page = pageOf(request);
      const { category } = request;
      const rows = category === ""
        ? await items.page.all(call, page)
        : await items.pageOfCategory.all(call, { ...page, category: choiceField("category", category, CATEGORIES) });
      return { metricItems: rows.map(itemMessage) };
    },
  };
}

function itemFields(request: CreateMetricItemRequest | UpdateMetricItemRequest, category: Category): MetricItemFields {
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

/** Returns a metric as responses contain it. */
export function itemMessage(row: MetricItemRow): MetricItemMessage {
  return {
    id: row.id,
    isOn: row.isOn === 1n,
    code: row.code,
    category: row.category,
    name: row.name,
    keys: JSON.parse(row.keys) as string[],
    period: Number(row.period),
    periodUnit: row.periodUnit,
    value: row.value,
    isPublic: row.isPublic === 1n,
    expiresPeriod: Number(row.expiresPeriod),
  };
}
