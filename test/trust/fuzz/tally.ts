import type { Outcome } from "./outcome.ts";
import { type FuzzRequest, textOf } from "./fuzz_request.ts";

/** A response that takes longer is slow. It counts as a hang if the same happens when the request is sent alone. */
export const SLOW_MILLISECONDS = 1000;

const NO_RESPONSE = ["closed", "garbled", "none"];
const SUCCESSES = ["200", "0", "grpc 0"];

/** Counts the outcomes of a fuzz. */
export class Tally {
  readonly #counts = new Map<string, number>();
  readonly #slowest = new Map<string, number>();
  readonly #succeeded = new Set<string>();
  readonly #broken: string[] = [];
  #totals = {
    requests: 0,
    internal: 0,
    deaths: 0,
    hangs: 0,
    withoutResponse: 0,
    slow: 0,
    slowExternal: 0,
    loggedErrors: 0,
  };

  /** Counts an outcome. Returns true if the response was so slow that the request must be sent again. */
  add(request: FuzzRequest, outcome: Outcome): boolean {
    const { wire, operation: { effect, path } } = request;
    const { code, milliseconds } = outcome;
    this.#totals.requests++;
    increase(this.#counts, `${wire} ${effect} ${code}`);
    if (outcome.isInternal) this.#break("internal", `${textOf(request)} had the response ${code}: ${outcome.text}`);
    const mustRespond = request.http === undefined || request.http.isValidHttp;
    if (mustRespond && NO_RESPONSE.includes(code)) {
      this.#break("withoutResponse", `${textOf(request)} had no response: ${code}`);
    }
    if (SUCCESSES.includes(code)) this.#succeeded.add(path);
    if (!mustRespond) return false;
    this.#slowest.set(effect, Math.max(this.#slowest.get(effect) ?? 0, milliseconds));
    if (milliseconds <= SLOW_MILLISECONDS) return false;
    this.#totals[effect === "external" ? "slowExternal" : "slow"]++;
    return effect !== "external";
  }

  hang(request: FuzzRequest, milliseconds: number): void {
    this.#break("hangs", `${textOf(request)} took ${Math.round(milliseconds)} ms, also alone`);
  }

  death(output: string): void {
    this.#break("deaths", `the server ended: ${output}`);
  }

  logged(lines: readonly string[]): void {
    for (const line of lines) this.#break("loggedErrors", `the server logged ${line}`);
  }

  get broken(): readonly string[] {
    return this.#broken;
  }

  /** The numbers of everything, and of responses by wire, effect and code. */
  get figures(): Readonly<Record<string, number>> {
    const slowest = [...this.#slowest].map(([effect, milliseconds]) => [
      `slowest ${effect} in ms`,
      Math.round(milliseconds),
    ]);
    return {
      ...this.#totals,
      operationsWithSuccess: this.#succeeded.size,
      ...Object.fromEntries([...slowest, ...[...this.#counts].sort()]),
    };
  }

  #break(kind: "internal" | "deaths" | "hangs" | "withoutResponse" | "loggedErrors", line: string): void {
    this.#totals[kind]++;
    this.#broken.push(line);
  }
}

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
