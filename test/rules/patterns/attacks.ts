import { parseExpression, type Part } from "./expression.ts";

/** A hostile text: `pump` is repeated between the others. */
export interface Attack {
  readonly prefix: string;
  readonly pump: string;
  readonly suffix: string;
}

/** Endings after which an expression has to try again. */
const SUFFIXES = ["", "\0", "\n\0", "é!"];
const SIZES = [8, 12, 16, 20, 24, 28, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536];
/** Longer than a linear expression needs for the longest text. */
const MEASURABLE_MILLISECONDS = 5;
/** Up to this size, only exponential growth is measurable: a few characters more take many times as long. */
const SMALL = 28;
/** A text is compared with as many of an eighth of its length: the same time if linear, 8 times as much if quadratic. */
const FACTOR = 8;
const MAX_GROWTH = 3;
const MIN_ROUNDS = 3;
const MAX_ROUNDS = 20;

/** Returns texts that repeat each unbounded part of an expression, behind a text that leads to it. */
export function attacksOn({ source, flags }: RegExp): Attack[] {
  const attacks: Attack[] = [];
  function visit(alternatives: readonly (readonly Part[])[], before: string): void {
    for (const parts of alternatives) {
      let prefix = before;
      for (const part of parts) {
        const inner = part.kind === "loop" ? part.part : part;
        if (part.kind === "loop" && part.isUnbounded) {
          for (const suffix of SUFFIXES) {
            for (const pump of pumpsOf(inner)) attacks.push({ prefix, pump, suffix });
            attacks.push({ prefix: "", pump: prefix + sampleOf(inner), suffix });
          }
        }
        if (inner.kind === "group") visit(inner.alternatives, prefix);
        prefix += sampleOf(part);
      }
    }
  }
  visit(parseExpression(source, flags), "");
  return attacks;
}

function pumpsOf(part: Part): readonly string[] {
  if (part.kind === "chars") return part.chars;
  if (part.kind === "loop") return pumpsOf(part.part);
  const samples = part.alternatives.map((parts) => parts.map(sampleOf).join(""));
  const firsts = part.alternatives.flatMap(([first]) => first === undefined ? [] : pumpsOf(first));
  return [...new Set([...samples, samples.join(""), ...firsts])].filter((pump) => pump !== "");
}

function sampleOf(part: Part): string {
  if (part.kind === "chars") return part.chars.find((char) => /\w/.test(char)) ?? part.chars[0] ?? "";
  if (part.kind === "group") return part.alternatives[0]!.map(sampleOf).join("");
  return sampleOf(part.part).repeat(Math.max(part.min, 1));
}

/** Returns an attack under which the time of an expression grows faster than the text, if there is one. */
export function successfulAttack(expression: RegExp): Attack | undefined {
  return attacksOn(expression).find((attack) =>
    !isLinear((size) => {
      const text = attack.prefix + attack.pump.repeat(Math.ceil(size / attack.pump.length)) + attack.suffix;
      return () => text.replace(expression, "");
    })
  );
}

/**
 * Returns true if the time of some work grows at most linearly with its size. It measures two amounts of work in turn,
 * which take the same time if that is so, until the shortest times agree: a busy machine disturbs both alike.
 *
 * @param workOf prepares the work for a size
 */
export function isLinear(workOf: (size: number) => () => unknown): boolean {
  const at = SIZES.findIndex((size, index) => index > 0 && isMeasurable(workOf(size)));
  if (at === -1) return true;
  const size = SIZES[at]!;
  const [previous, times] = size <= SMALL ? [SIZES[at - 1]!, 1] : [size / FACTOR, FACTOR];
  const [large, small] = [workOf(size), workOf(previous)];
  let [ofLarge, ofSmall] = [Infinity, Infinity];
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    ofLarge = Math.min(ofLarge, timeOf(large));
    ofSmall = Math.min(ofSmall, timeOf(small, times));
    if (round >= MIN_ROUNDS && ofLarge <= MAX_GROWTH * ofSmall) return true;
  }
  return false;
}

function isMeasurable(work: () => unknown): boolean {
  return timeOf(work) >= MEASURABLE_MILLISECONDS && timeOf(work) >= MEASURABLE_MILLISECONDS;
}

function timeOf(work: () => unknown, times = 1): number {
  const start = performance.now();
  for (let time = 0; time < times; time++) work();
  return performance.now() - start;
}
