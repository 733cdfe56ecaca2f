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

const CHILD = fileURLToPath(new URL("./segments_child.ts", import.meta.url));
/** TEST_KILLS=300 for the whole of it. */
const KILLS = Number(process.env["TEST_KILLS"] ?? 3);
const OF_ONE_STORE = 25;
const LONGEST = 1500;

/** What one life of the program told. */
interface Life {
  readonly openedIn: number | undefined;
  /** The batches that were there; undefined when it died before it could tell. */
  readonly found: ReadonlySet<number> | undefined;
  readonly faults: readonly string[];
  readonly kept: readonly number[];
}

/** Starts the program and kills it, some milliseconds after it began or was through with looking. */
async function live(runtime: readonly string[], directory: string, from: number, kill: (line: string) => number) {
  const [program = "", ...words] = runtime;
  const child = spawn(program, [...words, CHILD, directory, String(from)], { stdio: ["ignore", "pipe", "inherit"] });
  let [openedIn, found]: [number | undefined, Set<number> | undefined] = [undefined, undefined];
  const [faults, kept]: [string[], number[]] = [[], []];
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const killAt = (delay: number) => void (delay < Infinity && setTimeout(() => child.kill("SIGKILL"), delay));
  killAt(kill("start"));
  for await (const line of createInterface({ input: child.stdout })) {
    const [word = "", rest = ""] = line.split(" ", 2);
    if (word === "opened") openedIn = Number(rest);
    else if (word === "found") {
      found = new Set(rest === "" ? [] : rest.split(",").map(Number));
      killAt(kill("found"));
    } else if (word === "kept") kept.push(Number(rest));
    else faults.push(line);
  }
  await ended;
  return { openedIn, found, faults, kept } satisfies Life;
}

describe.each(runtimes())("on %s", (_name, runtime) => {
  test("what was acknowledged survives SIGKILL at any moment, once", async () => {
    const random = new Random(11);
    const openings: number[] = [];
    // A store that is looked at whole in every life must not grow for too long.
    for (let killed = 0; killed < KILLS; killed += OF_ONE_STORE) await lives(Math.min(OF_ONE_STORE, KILLS - killed));
    const [median, slowest] = [openings.toSorted((a, b) => a - b)[openings.length >> 1], Math.max(...openings)];
    if (KILLS > OF_ONE_STORE) console.info(`${KILLS} kills; open again in ${median} ms, at most ${slowest} ms`);

    async function lives(kills: number): Promise<void> {
      const directory = await mkdtemp(join(tmpdir(), "edgehelm-logs-"));
      onTestFinished(() => rm(directory, { recursive: true, force: true }));
      const kept = new Set<number>();
      let next = 0;
      let looks = 0;
      for (let round = 0; round <= kills; round++) {
        // now and then already while it opens
        const early = random.below(5) === 0;
        const delay = random.below(LONGEST);
        const life = await live(
          runtime,
          directory,
          next,
          (moment) => (moment === "start") === early ? delay : Infinity,
        );
        expect(life.faults).toEqual([]);
        if (life.openedIn !== undefined) openings.push(life.openedIn);
        if (life.found !== undefined) {
          looks++;
          expect([...kept].filter((number) => !life.found!.has(number))).toEqual([]);
        }
        for (const number of life.kept) kept.add(number);
        // the next life sends again what this one may not have kept, and some that it has
        next = Math.max(0, Math.max(-1, ...kept) - 2);
      }
      expect(looks).toBeGreaterThan(0);
      expect(kept.size).toBeGreaterThan(kills);
      await rm(directory, { recursive: true, force: true });
    }
  }, 120_000 + KILLS * 20_000);
});
