import { fill } from "../../texts/fill.ts";
import { count, plural } from "../../texts/mod.ts";
import { bytesText, moneyText } from "../../texts/amounts.ts";
import { readJson } from "../json_bytes.ts";
import type { Plan } from "./models.ts";
import { featureName } from "./features.ts";
import { texts } from "./texts.ts";

export const PERIODS = ["monthly", "seasonally", "yearly"] as const;
export type Period = (typeof PERIODS)[number];

const UNITS = ["byte", "kb", "mb", "gb", "tb", "pb", "eb"];

interface Size {
  readonly count?: number;
  readonly unit?: string;
}

interface TrafficLimit {
  readonly isOn?: boolean;
  readonly dailySize?: Size;
  readonly monthlySize?: Size;
}

/** The prices of a plan that is paid in advance, for the periods in which it is sold. */
export function pricesOf(plan: Plan): { readonly period: Period; readonly price: number }[] {
  if (plan.priceType !== "period") return [];
  return PERIODS.map((period) => ({ period, price: plan[`${period}Price`] })).filter(({ price }) => price > 0);
}

/** Returns the prices of a plan in words. */
export function priceTexts(plan: Plan): string[] {
  const { value: text } = texts;
  if (plan.priceType === "traffic") {
    const { base = 0 } = readJson<{ base?: number }>(plan.trafficPriceJSON) ?? {};
    return [fill(text.perGB, { price: moneyText(base) })];
  }
  if (plan.priceType === "bandwidth") return [text.byBandwidth];
  const prices = pricesOf(plan);
  if (prices.length === 0) return [text.free];
  return prices.map(({ period, price }) => fill(text.per, { price: moneyText(price), period: text[period] }));
}

/** Returns what a plan contains in words. */
export function contentTexts(plan: Plan): string[] {
  const { value: text } = texts;
  const limit = readJson<TrafficLimit>(plan.trafficLimitJSON);
  const traffic = limit?.isOn === true
    ? [sizeText(text.traffic, limit.monthlySize), sizeText(text.trafficDay, limit.dailySize)].filter(isText)
    : [];
  return [
    ...(traffic.length > 0 ? traffic : [text.anyTraffic]),
    plan.totalServers > 0 ? plural(text.siteCount, plan.totalServers) : text.anySites,
    plan.totalServerNames > 0 && plural(text.nameCount, plan.totalServerNames),
    plan.monthlyRequests > 0n && fill(text.requestsMonth, { n: count(plan.monthlyRequests) }),
    plan.dailyRequests > 0n && fill(text.requestsDay, { n: count(plan.dailyRequests) }),
    sizeText(text.upload, readJson<Size>(plan.maxUploadSizeJSON)),
    ...(plan.hasFullFeatures ? [text.allFeatures] : featuresOf(plan).map(featureName)),
  ].filter(isText);
}

function featuresOf({ featuresJSON }: Plan): readonly string[] {
  const codes = readJson<unknown>(featuresJSON);
  return Array.isArray(codes) ? codes : [];
}

function sizeText(text: string, size: Size | undefined): string | undefined {
  const { count: number = 0, unit = "byte" } = size ?? {};
  const bytes = Number(number) * 1024 ** Math.max(0, UNITS.indexOf(unit));
  return bytes > 0 ? fill(text, { size: bytesText(bytes) }) : undefined;
}

function isText(text: string | false | undefined): text is string {
  return typeof text === "string";
}
