import { readJson, writeJson } from "../../../parts/json_bytes.ts";
import type { WholePlan } from "./plan.ts";

/** An amount of something as it is typed; empty means no limit. */
export interface SizeDraft {
  readonly count: string;
  readonly unit: string;
}

/** A band of bandwidth with its price, as it is typed. */
export type RangeDraft = Readonly<Record<(typeof RANGE_FIELDS)[number], string>>;

/** A quota as it is typed. */
export interface QuotaDraft {
  readonly name: string;
  readonly max: string;
}

export const RANGE_FIELDS = ["minMB", "maxMB", "pricePerMB", "totalPrice"] as const;
export const TRAFFIC_SIZES = ["dailySize", "monthlySize", "totalSize"] as const;
export const PRICES = ["monthlyPrice", "seasonallyPrice", "yearlyPrice"] as const;
export const SITE_COUNTS = ["totalServers", "totalServerNames", "totalServerNamesPerServer"] as const;
export const REQUEST_COUNTS = [
  "dailyRequests",
  "monthlyRequests",
  "dailyWebsocketConnections",
  "monthlyWebsocketConnections",
] as const;

type Typed = (typeof PRICES | typeof SITE_COUNTS | typeof REQUEST_COUNTS)[number];

/** The values of the form of a plan; empty numbers mean that there is none. */
export interface PlanDraft extends Readonly<Record<Typed, string>> {
  readonly name: string;
  readonly description: string;
  readonly isOn: boolean;
  readonly clusterId: string;
  readonly priceType: string;
  readonly pricePerGB: string;
  readonly percentile: string;
  readonly ranges: readonly RangeDraft[];
  readonly limitsTraffic: boolean;
  readonly trafficSizes: Readonly<Record<(typeof TRAFFIC_SIZES)[number], SizeDraft>>;
  readonly noticePageBody: string;
  readonly bandwidthLimitPerNode: SizeDraft;
  readonly maxUploadSize: SizeDraft;
  readonly hasFullFeatures: boolean;
  readonly features: readonly string[];
  readonly quotas: readonly QuotaDraft[];
}

interface Size {
  readonly count?: number;
  readonly unit?: string;
}

interface TrafficLimit extends Partial<Record<(typeof TRAFFIC_SIZES)[number], Size>> {
  readonly isOn?: boolean;
  readonly noticePageBody?: string;
}

interface BandwidthPrice {
  readonly percentile?: number;
  readonly ranges?: readonly Partial<Record<keyof RangeDraft, number>>[];
}

export const NEW_RANGE: RangeDraft = { minMB: "0", maxMB: "", pricePerMB: "", totalPrice: "" };

/** Returns what the form of a plan begins with. */
export function draftOf(plan: WholePlan | undefined): PlanDraft {
  const limit = readJson<TrafficLimit>(plan?.trafficLimitJSON);
  const bandwidth = readJson<BandwidthPrice>(plan?.bandwidthPriceJSON);
  const features = readJson<readonly string[]>(plan?.featuresJSON);
  const numbers = [...PRICES, ...SITE_COUNTS, ...REQUEST_COUNTS].map((name) => [name, shown(plan?.[name])]);
  return {
    ...Object.fromEntries(numbers) as Record<Typed, string>,
    name: plan?.name ?? "",
    description: plan?.description ?? "",
    isOn: plan?.isOn ?? true,
    clusterId: plan === undefined || plan.clusterId === 0n ? "" : String(plan.clusterId),
    priceType: plan?.priceType ?? "period",
    pricePerGB: shown(readJson<{ readonly base?: number }>(plan?.trafficPriceJSON)?.base),
    percentile: String(bandwidth?.percentile ?? 95),
    ranges: bandwidth?.ranges?.map(rangeDraft) ?? [NEW_RANGE],
    limitsTraffic: limit?.isOn === true,
    trafficSizes: {
      dailySize: sizeDraft(limit?.dailySize),
      monthlySize: sizeDraft(limit?.monthlySize),
      totalSize: sizeDraft(limit?.totalSize),
    },
    noticePageBody: limit?.noticePageBody ?? "",
    bandwidthLimitPerNode: sizeDraft(readJson<Size>(plan?.bandwidthLimitPerNodeJSON), "mb"),
    maxUploadSize: sizeDraft(readJson<Size>(plan?.maxUploadSizeJSON), "mb"),
    hasFullFeatures: plan === undefined || plan.hasFullFeatures || features === undefined,
    features: features ?? [],
    quotas: readJson<readonly { readonly name: string; readonly max?: number }[]>(plan?.quotasJSON)
      ?.map(({ name, max = 0 }) => ({ name, max: String(max) })) ?? [],
  };
}

/** Returns the request that stores the draft. JSON that is not set stays empty, which keeps what is stored. */
export function requestOf(draft: PlanDraft, plan: WholePlan | undefined): Record<string, unknown> {
  const { limitsTraffic, trafficSizes, noticePageBody, bandwidthLimitPerNode, maxUploadSize } = draft;
  const empty = new Uint8Array();
  const sizes = TRAFFIC_SIZES.flatMap((name) =>
    trafficSizes[name].count === "" ? [] : [[name, sizeOf(trafficSizes[name])] as const]
  );
  const hasLimit = limitsTraffic || (plan?.trafficLimitJSON.length ?? 0) > 0;
  const sizeBytes = (size: SizeDraft, stored: Uint8Array | undefined) =>
    size.count === "" && (stored?.length ?? 0) === 0 ? empty : writeJson(sizeOf(size));
  return {
    name: draft.name.trim(),
    description: draft.description,
    clusterId: BigInt(draft.clusterId || 0),
    priceType: draft.priceType,
    ...Object.fromEntries([...PRICES, ...SITE_COUNTS].map((name) => [name, Number(draft[name])])),
    ...Object.fromEntries(REQUEST_COUNTS.map((name) => [name, BigInt(draft[name] || 0)])),
    trafficPriceJSON: draft.priceType === "traffic" ? writeJson({ base: Number(draft.pricePerGB) }) : empty,
    bandwidthPriceJSON: draft.priceType === "bandwidth" ? writeJson(bandwidthOf(draft)) : empty,
    trafficLimitJSON: hasLimit
      ? writeJson({ isOn: limitsTraffic, ...Object.fromEntries(sizes), noticePageBody })
      : empty,
    bandwidthLimitPerNodeJSON: sizeBytes(bandwidthLimitPerNode, plan?.bandwidthLimitPerNodeJSON),
    maxUploadSizeJSON: sizeBytes(maxUploadSize, plan?.maxUploadSizeJSON),
    hasFullFeatures: draft.hasFullFeatures,
    featuresJSON: draft.hasFullFeatures ? empty : writeJson(draft.features),
    quotasJSON: draft.quotas.length === 0 && plan?.quotasJSON === undefined
      ? empty
      : writeJson(draft.quotas.map(({ name, max }) => ({ name, max: Number(max) }))),
  };
}

function bandwidthOf({ percentile, ranges }: PlanDraft): BandwidthPrice {
  const numbers = (range: RangeDraft) => Object.fromEntries(RANGE_FIELDS.map((name) => [name, Number(range[name])]));
  return { percentile: Number(percentile), ranges: ranges.map(numbers) };
}

function rangeDraft(range: Partial<Record<keyof RangeDraft, number>>): RangeDraft {
  const { minMB = 0, maxMB, pricePerMB, totalPrice } = range;
  return { minMB: String(minMB), maxMB: shown(maxMB), pricePerMB: shown(pricePerMB), totalPrice: shown(totalPrice) };
}

/** A count of -1 means no limit. */
function sizeOf({ count, unit }: SizeDraft): Size {
  return { count: count === "" ? -1 : Number(count), unit };
}

function sizeDraft(size: Size | undefined, usual = "gb"): SizeDraft {
  const count = Number(size?.count ?? 0);
  return { count: count > 0 ? String(count) : "", unit: size?.unit || usual };
}

/** Returns a number as it is typed; 0 and none are empty. */
function shown(value: number | bigint | undefined): string {
  return value === undefined || Number(value) === 0 ? "" : String(value);
}
