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
/** Longer than a linear expression needs for the longest text, so that noise is not measured. */
const MEASURABLE_MILLISECONDS = 8;
/** Times are compared with those of texts of an eighth of the length: 8 times as much if linear, 64 if quadratic. */
const FACTOR = 8;
const MAX_GROWTH = 24;
/** Up to this size, only exponential growth is measurable: a few characters more take many times as long. */
const SMALL = 28;
const MAX_SMALL_GROWTH = 3;
const ATTEMPTS = 3;

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

function pumpsOf(part: Part): string[] {
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
 * Returns true if the time of some work grows at most linearly with its size. It compares times with each other, and
 * repeats what a busy machine may have disturbed.
 *
 * @param workOf prepares the work for a size
 */
export function isLinear(workOf: (size: number) => () => unknown): boolean {
  const at = SIZES.findIndex((size) => {
    const work = workOf(size);
    return timeOf(work, 1) >= MEASURABLE_MILLISECONDS && timeOf(work, 3) >= MEASURABLE_MILLISECONDS;
  });
  if (at <= 0) return at === -1;
  const size = SIZES[at]!;
  const [previous, maxGrowth] = size <= SMALL ? [SIZES[at - 1]!, MAX_SMALL_GROWTH] : [size / FACTOR, MAX_GROWTH];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const growth = timeOf(workOf(size), 3) / Math.max(timeOf(workOf(previous), 3), 0.001);
    if (growth <= maxGrowth) return true;
  }
  return false;
}

function timeOf(work: () => unknown, rounds: number): number {
  let best = Infinity;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    work();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}
