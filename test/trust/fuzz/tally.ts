import type { Answer } from "./answer.ts";
import { type FuzzRequest, textOf } from "./fuzz_request.ts";

/** An answer that takes longer is slow. It counts as a hang if the same happens when the request is sent alone. */
export const SLOW_MILLISECONDS = 1000;

const UNANSWERED = ["closed", "garbled", "none"];
const SUCCESSES = ["200", "0", "grpc 0"];

/** Counts the answers of a fuzz. */
export class Tally {
  readonly #counts = new Map<string, number>();
  readonly #slowest = new Map<string, number>();
  readonly #succeeded = new Set<string>();
  readonly #broken: string[] = [];
  #totals = { requests: 0, internal: 0, deaths: 0, hangs: 0, unanswered: 0, slow: 0, slowExternal: 0, loggedErrors: 0 };

  /** Counts an answer. Returns true if it was so slow that the request must be sent again. */
  add(request: FuzzRequest, answer: Answer): boolean {
    const { wire, operation: { effect, path } } = request;
    const { code, milliseconds } = answer;
    this.#totals.requests++;
    increase(this.#counts, `${wire} ${effect} ${code}`);
    if (answer.isInternal) this.#break("internal", `${textOf(request)} was answered with ${code}: ${answer.text}`);
    const mustAnswer = request.http === undefined || request.http.isValidHttp;
    if (mustAnswer && UNANSWERED.includes(code)) {
      this.#break("unanswered", `${textOf(request)} was not answered: ${code}`);
    }
    if (SUCCESSES.includes(code)) this.#succeeded.add(path);
    if (!mustAnswer) return false;
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

  /** The numbers of everything, and of answers by wire, effect and code. */
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

  #break(kind: "internal" | "deaths" | "hangs" | "unanswered" | "loggedErrors", line: string): void {
    this.#totals[kind]++;
    this.#broken.push(line);
  }
}

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
