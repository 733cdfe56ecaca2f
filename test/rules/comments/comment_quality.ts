import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { ScalarType } from "@bufbuild/protobuf";

/** Words that add nothing to a name. */
const FILLERS = new Set("the a an of to and or for in on is its it this that with by id ids s".split(" "));
const MEASURED = /(?:bytes|seconds?|days?|hours?|minutes?|At|timeout|ttl|interval|milliseconds)$/;
const UNIT = new RegExp(
  [
    ...[
      "bytes?",
      "milliseconds?",
      "seconds?",
      "minutes?",
      "hours?",
      "days?",
      "weeks?",
      "months?",
      "unix",
      "the number of",
    ],
    ...["YYYY", "HHMM", "\\d{4}-\\d{2}", "\\d{2}:\\d{2}", "ISO 8601", "percent", "unit", "shape", "JSON", "Ignored"],
    ...["always 0", "If true", "whether", "Only"],
  ].join("|"),
  "i",
);

/** Returns true if a comment says more than the name of what it describes. */
export function saysMoreThan(name: string, comment: string): boolean {
  const known = wordsOf(name);
  const words = (comment.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter((word) => !FILLERS.has(word));
  return words.some((word) => !known.some((one) => one.includes(word) || one.includes(word.replace(/s$/, ""))));
}

function wordsOf(name: string): string[] {
  return (name.match(/[A-Z]+s?(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).map((word) => word.toLowerCase());
}

/** Returns true for a field of a time, a duration or a size whose comment names no unit. */
export function lacksUnit({ name, scalar, message, enum: values }: DescField, comment: string): boolean {
  if (message !== undefined || values !== undefined || scalar === ScalarType.BOOL) return false;
  return MEASURED.test(name) && !UNIT.test(comment);
}

/** The limits of the length of a text. */
export interface TextLimits {
  readonly min: number;
  readonly max: number;
}

const TEXT_FIELD = /textField\(\s*"(?<field>\w+)",\s*[\w.]+,?\s*(?:\{(?<options>[^}]*)\})?\s*,?\s*\)/g;
const DEFAULT_MAX = 255;

/** Returns the limits that the sources of a plugin check for texts, by the names of fields; those that differ are left out. */
export function textLimits(source: string): ReadonlyMap<string, TextLimits> {
  const constants = new Map(
    Array.from(source.matchAll(/const (\w+) = ([\d_]+);/g), ([, name = "", value = ""]) => [name, numberOf(value)]),
  );
  const valueOf = (text: string) => constants.get(text) ?? numberOf(text);
  const found = new Map<string, TextLimits[]>();
  for (const { groups: { field = "", options = "" } = {} } of source.matchAll(TEXT_FIELD)) {
    const [, min = "0"] = /min: ([^,}]+)/.exec(options) ?? [];
    const [, max = String(DEFAULT_MAX)] = /max: ([^,}]+)/.exec(options) ?? [];
    const limits = { min: valueOf(min.trim()), max: valueOf(max.trim()) };
    found.set(field, [...found.get(field) ?? [], limits]);
  }
  const steady = [...found].filter(([, [first, ...others]]) =>
    Number.isInteger(first!.min) && Number.isInteger(first!.max) &&
    others.every(({ min, max }) => min === first!.min && max === first!.max)
  );
  return new Map(steady.map(([field, [limits]]) => [field, limits!]));
}

function numberOf(text: string): number {
  return Number(text.replaceAll("_", ""));
}

/** Returns true for a request that changes something, whose texts are checked. */
export function isChange({ name }: DescMessage): boolean {
  return /^(?:Create|Update|Add|Register|Send|Buy)\w*Request$/.test(name);
}
