import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { Random } from "../../harness/random.ts";
import { runtimes } from "../../harness/runtimes.ts";

const CHILD = fileURLToPath(new URL("./child.ts", import.meta.url));
/** The number of kills; set TEST_KILLS=300 for a thorough run. */
const KILLS = Number(process.env["TEST_KILLS"] ?? 3);
/** The number of kills before a new store is used, since the program reads the whole store on every start. */
const KILLS_PER_STORE = 25;
const MAX_DELAY = 1500;

/** The output of one run of the program. */
interface Run {
  readonly openedIn: number | undefined;
  /** The batches found at the start; undefined if the program was killed before it reported them. */
  readonly found: ReadonlySet<number> | undefined;
  readonly errors: readonly string[];
  readonly acknowledged: readonly number[];
}

/** Starts the program and kills it some milliseconds after its start or after it reported the found batches. */
async function runChild(runtime: readonly string[], directory: string, from: number, kill: (line: string) => number) {
  const [program = "", ...args] = runtime;
  const child = spawn(program, [...args, CHILD, directory, String(from)], { stdio: ["ignore", "pipe", "inherit"] });
  let [openedIn, found]: [number | undefined, Set<number> | undefined] = [undefined, undefined];
  const [errors, acknowledged]: [string[], number[]] = [[], []];
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const killAt = (delay: number) => void (delay < Infinity && setTimeout(() => child.kill("SIGKILL"), delay));
  killAt(kill("start"));
  for await (const line of createInterface({ input: child.stdout })) {
    const [word = "", rest = ""] = line.split(" ", 2);
    if (word === "opened") openedIn = Number(rest);
    else if (word === "found") {
      found = new Set(rest === "" ? [] : rest.split(",").map(Number));
      killAt(kill("found"));
    } else if (word === "acknowledged") acknowledged.push(Number(rest));
    else errors.push(line);
  }
  await ended;
  return { openedIn, found, errors, acknowledged } satisfies Run;
}

describe.each(runtimes())("on %s", (_name, runtime) => {
  test("keeps acknowledged logs exactly once after SIGKILL at any time", async () => {
    const random = new Random(11);
    const openings: number[] = [];
    for (let killed = 0; killed < KILLS; killed += KILLS_PER_STORE) {
      await killRepeatedly(Math.min(KILLS_PER_STORE, KILLS - killed));
    }
    const [median, slowest] = [openings.toSorted((a, b) => a - b)[openings.length >> 1], Math.max(...openings)];
    if (KILLS > KILLS_PER_STORE) console.info(`${KILLS} kills; open again in ${median} ms, at most ${slowest} ms`);

    async function killRepeatedly(kills: number): Promise<void> {
      const directory = await mkdtemp(join(tmpdir(), "edgehelm-logs-"));
      onTestFinished(() => rm(directory, { recursive: true, force: true }));
      const acknowledged = new Set<number>();
      let next = 0;
      let looks = 0;
      for (let round = 0; round <= kills; round++) {
        // sometimes while it opens
        const early = random.below(5) === 0;
        const delay = random.below(MAX_DELAY);
        const run = await runChild(
          runtime,
          directory,
          next,
          (moment) => (moment === "start") === early ? delay : Infinity,
        );
        expect(run.errors).toEqual([]);
        if (run.openedIn !== undefined) openings.push(run.openedIn);
        if (run.found !== undefined) {
          looks++;
          expect([...acknowledged].filter((number) => !run.found!.has(number))).toEqual([]);
        }
        for (const number of run.acknowledged) acknowledged.add(number);
        // the next run repeats batches that this one may not have stored, and some that it has
        next = Math.max(0, Math.max(-1, ...acknowledged) - 2);
      }
      expect(looks).toBeGreaterThan(0);
      expect(acknowledged.size).toBeGreaterThan(kills);
      await rm(directory, { recursive: true, force: true });
    }
  }, 120_000 + KILLS * 20_000);
});
