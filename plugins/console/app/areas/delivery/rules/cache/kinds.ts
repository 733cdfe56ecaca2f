import { amountText } from "../common/amounts.tsx";
import { operatorText } from "../common/operator_texts.ts";
import { isOfRequest, partText } from "../common/params.ts";
import { texts } from "./texts.ts";
import type { CacheRef, Cond, CondGroup } from "./refs.ts";

/** The comparisons whose value is a list, written as JSON. */
const WITH_LIST: readonly string[] = ["in", "not in", "file ext", "mime type"];
/** The comparisons without a value. */
const WITHOUT_VALUE: readonly string[] = ["file exist", "file not exist"];
/** The values of a list that are shown; the others are counted. */
const SHOWN_VALUES = 4;

/** The ways to say which responses are cached, beside comparisons of one's own. */
export const PRESETS = {
  "url-all": { param: "${requestPath}", operator: "prefix", value: "/" },
  "url-extension": { param: "${requestPathLowerExtension}", operator: "in", value: '[".css",".js"]' },
  "url-prefix": { param: "${requestPath}", operator: "prefix", value: "" },
  "url-eq": { param: "${requestPath}", operator: "eq", value: "" },
  "url-wildcard-match": { param: "${requestPath}", operator: "wildcard match", value: "" },
  "mime-type": { param: "${response.contentType}", operator: "mime type", value: '["image/*"]' },
} as const satisfies Readonly<Record<string, Cond>>;

export type Preset = keyof typeof PRESETS;
export type Kind = Preset | "own" | "groups" | "none";

/** The type of a comparison of one's own, as other consoles name it. */
const OWN_TYPE = "params";

/** Returns how a rule says which responses are cached. */
export function kindOf({ simpleCond, conds }: CacheRef): Kind {
  if (simpleCond === undefined || simpleCond === null) return conds?.groups?.length ? "groups" : "none";
  const { type = "", param, operator, isReverse, isCaseInsensitive } = simpleCond;
  const preset = PRESETS[type as Preset];
  const isPlain = preset !== undefined && isReverse !== true && isCaseInsensitive !== true;
  const isPreset = isPlain && preset.param === param && preset.operator === operator;
  return isPreset ? type as Preset : "own";
}

/** Returns the rule with another way to say which responses are cached; it begins with what the rule has. */
export function withKind(ref: CacheRef, kind: Kind): CacheRef {
  const { simpleCond, conds, ...others } = ref;
  if (kind === "none") return others;
  if (kind === "groups") {
    const first = simpleCond ?? condOf({ param: "${requestPath}", operator: "prefix", value: "/" });
    return { ...others, conds: conds ?? { isOn: true, connector: "or", groups: [groupOf(first)] } };
  }
  if (kind !== "own") return { ...others, simpleCond: { ...condOf(PRESETS[kind]), type: kind } };
  const kept = simpleCond ?? conds?.groups?.[0]?.conds?.[0] ?? condOf(PRESETS["url-prefix"]);
  return { ...others, simpleCond: { ...kept, type: OWN_TYPE } };
}

/** Returns a group with one comparison. */
export function groupOf(cond: Cond): CondGroup {
  return { isOn: true, connector: "and", conds: [{ ...cond, type: OWN_TYPE }] };
}

/** Returns a comparison of one's own. */
export function condOf(cond: Cond): Cond {
  return { type: OWN_TYPE, ...cond, isRequest: isOfRequest(cond.param ?? "") };
}

/** True if the value of the comparison is a list. */
export function hasList(operator: string | undefined): boolean {
  return WITH_LIST.includes(operator ?? "");
}

/** True if the comparison has a value. */
export function hasValue(operator: string | undefined): boolean {
  return !WITHOUT_VALUE.includes(operator ?? "");
}

/** Reads the list in the value of a comparison; a value that is none is its only item. */
export function listIn(value: string | undefined): readonly string[] {
  try {
    const list: unknown = JSON.parse(value ?? "");
    if (Array.isArray(list)) return list.map(String);
  } catch {
    // a single value
  }
  return value === undefined || value === "" ? [] : [value];
}

/** Returns the comparison with another operator, and the value in its form. */
export function withOperator(cond: Cond, operator: string): Cond {
  if (hasList(operator) === hasList(cond.operator)) return { ...cond, operator };
  const list = listIn(cond.value);
  return { ...cond, operator, value: hasList(operator) ? JSON.stringify(list) : list.join(" ") };
}

/** Describes which responses a rule caches. */
export function matchText(ref: CacheRef): string {
  const { value: text } = texts;
  const kind = kindOf(ref);
  const matched = kind === "none"
    ? text.kinds.none
    : kind === "url-all"
    ? text.allResponses
    : kind === "groups"
    ? groupsText(ref)
    : condText(ref.simpleCond!);
  return ref.isReverse ? text.allBut.replace("{matched}", matched) : matched;
}

function groupsText({ conds }: CacheRef): string {
  const groups = (conds?.groups ?? []).map(({ conds: list = [], connector }) =>
    list.map(condText).join(` ${joint(connector)} `)
  );
  return groups.length === 1 ? groups[0]! : groups.map((group) => `(${group})`).join(` ${joint(conds?.connector)} `);
}

function joint(connector: string | undefined): string {
  return connector === "and" ? texts.value.and : texts.value.or;
}

/** Describes a comparison. */
export function condText({ param = "", operator = "", value, isReverse }: Cond): string {
  const list = hasList(operator) ? listIn(value) : undefined;
  const shown = list === undefined ? value ?? "" : list.slice(0, SHOWN_VALUES).join(", ") +
    (list.length > SHOWN_VALUES ? ` +${list.length - SHOWN_VALUES}` : "");
  const text = `${partText(param)} ${operatorText(operator)} ${hasValue(operator) ? shown : ""}`.trim();
  return isReverse ? `${texts.value.not} (${text})` : text;
}

/** Describes the sizes that a rule caches. */
export function sizeText({ minSize, maxSize }: CacheRef): string {
  const [min, max] = [amountText(minSize), Number(maxSize?.count ?? 0) < 0 ? undefined : amountText(maxSize)];
  const { value: text } = texts;
  if (min !== undefined && max !== undefined) return `${min} – ${max}`;
  if (max !== undefined) return text.upTo.replace("{size}", max);
  return min === undefined ? text.anySize : text.from.replace("{size}", min);
}
