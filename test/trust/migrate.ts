import { spawnSync } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { installLedger, LEDGER_STATES } from "../harness/ledger_releases.ts";
import { Random } from "../harness/random.ts";
import { readDatabase } from "../harness/read_database.ts";
import { installationDirectory, MAIN, removeInstallation, THIS_RUNTIME } from "../harness/server.ts";
import type { Campaign, CampaignOptions, CampaignResult } from "./campaign.ts";

const SCHEMA = "select type, name, tbl_name, sql from sqlite_master order by type, name";
const KILL = 137;

/** Kills an upgrade at one of its writes or syncs, and upgrades again. It needs strace. */
export const migrate: Campaign = {
  about: "kills an upgrade at one of its writes or syncs, and upgrades again",
  rounds: 200,
  async run(options) {
    const installation = await installationDirectory([]);
    const folder = await mkdtemp(join(tmpdir(), "edgehelm-trust-"));
    try {
      return await new Upgrades(installation, folder).killRepeatedly(options);
    } finally {
      await rm(folder, { recursive: true, force: true });
      await removeInstallation(installation);
    }
  },
};

/** The system calls at which upgrades are killed, with the flags of strace that select them. */
interface Aim {
  readonly call: string;
  readonly flags: readonly string[];
}

/** An installation of the first release, which is upgraded again and again. */
class Upgrades {
  readonly #installation: Record<string, string>;
  readonly #data: string;
  readonly #database: string;
  readonly #folder: string;

  /** @param folder for copies and traces */
  constructor(installation: Record<string, string>, folder: string) {
    this.#installation = installation;
    this.#data = installation["EDGEHELM_DATA"]!;
    this.#database = join(this.#data, "edgehelm.db");
    this.#folder = folder;
  }

  async killRepeatedly({ seed, rounds, progress }: CampaignOptions): Promise<CampaignResult> {
    await installLedger(this.#installation, 1);
    this.#requireSuccess(this.#migrate());
    await cp(this.#data, this.#first, { recursive: true });
    await installLedger(this.#installation, 2);
    // Syncs are in each phase, from the backup to the end. Writes of other files, such as caches, do not count.
    const aims = [
      { call: "fsync", flags: [] },
      { call: "pwrite64", flags: ["-P", this.#database, "-P", `${this.#database}-wal`] },
    ];
    const counts: number[] = [];
    for (const aim of aims) {
      await this.#reset();
      counts.push(await this.#count(aim));
    }
    const schema = JSON.stringify(readDatabase(this.#database, SCHEMA));
    const random = new Random(seed);
    const figures = {
      syncs: counts[0]!,
      writes: counts[1]!,
      killed: 0,
      before: 0,
      after: 0,
      damaged: 0,
      lost: 0,
    };
    const broken: string[] = [];
    for (let round = 0; round < rounds; round++) {
      if (round % 10 === 0) progress(`${round} of ${rounds} upgrades`);
      const { call, flags } = aims[round % aims.length]!;
      const at = 1 + random.below(counts[round % aims.length]!);
      await this.#reset();
      const inject = ["-e", `trace=${call}`, "-e", `inject=${call}:signal=KILL:when=${at}`];
      const { status } = this.#migrate("-o", "/dev/null", ...flags, ...inject);
      if (status === KILL || status === null) figures.killed++;
      const state = stateOf(this.#database);
      if (state === undefined) {
        figures.damaged++;
        broken.push(`round ${round}: killed at ${call} ${at}, the tables are neither those before nor those after`);
      } else figures[state]++;
      broken.push(...await this.#resume(schema).then((errors) => errors.map((error) => `round ${round}: ${error}`)));
    }
    figures.lost = broken.length - figures.damaged;
    return { figures, broken };
  }

  get #first(): string {
    return join(this.#folder, "first");
  }

  /** Upgrades again, and returns what is not as it is after an upgrade that was not interrupted. */
  async #resume(schema: string): Promise<string[]> {
    const { status, stderr } = this.#migrate();
    if (status !== 0) return [`the next start failed: ${stderr}`];
    const errors: string[] = [];
    if (stateOf(this.#database) !== "after") errors.push("rows are missing after the next start");
    if (JSON.stringify(readDatabase(this.#database, SCHEMA)) !== schema) errors.push("the schema differs");
    const names = await readdir(join(this.#data, "before-upgrades"));
    if (!names.some((name) => name.endsWith(".backup"))) errors.push("there is no backup");
    return errors;
  }

  async #reset(): Promise<void> {
    await rm(this.#data, { recursive: true });
    await cp(this.#first, this.#data, { recursive: true });
  }

  /** Returns the number of system calls of the thread that makes most of them. */
  async #count({ call, flags }: Aim): Promise<number> {
    const trace = join(this.#folder, "trace");
    this.#requireSuccess(this.#migrate("-o", trace, ...flags, "-e", `trace=${call}`));
    const counts = new Map<string, number>();
    for (const [, thread] of (await readFile(trace, "utf8")).matchAll(/^(\d+) +\w+\(/gm)) {
      counts.set(thread!, (counts.get(thread!) ?? 0) + 1);
    }
    return Math.max(...counts.values());
  }

  /** Runs `migrate` to its end, under strace if there are flags for it. */
  #migrate(...flags: readonly string[]) {
    const command = [...THIS_RUNTIME, MAIN, "migrate"];
    const [program, ...words] = flags.length === 0 ? command : ["strace", "-f", "-qq", ...flags, ...command];
    return spawnSync(program!, words, { encoding: "utf8", env: { ...process.env, ...this.#installation } });
  }

  #requireSuccess({ status, stderr, error }: ReturnType<typeof spawnSync>): void {
    if (status !== 0) throw new Error(`an upgrade without interruption failed: ${error?.message ?? stderr}`);
  }
}

/** Returns whether the rows are those of the first release or those of the second one. */
function stateOf(path: string): "before" | "after" | undefined {
  if (readDatabase(path, "pragma integrity_check(1)")[0]?.[0] !== "ok") return undefined;
  const isUpgraded = readDatabase(path, "select 1 from sqlite_master where name = 'ledgerNotes'").length > 0;
  const { sql, rows } = isUpgraded ? LEDGER_STATES.second : LEDGER_STATES.first;
  if (JSON.stringify(readDatabase(path, sql)) !== JSON.stringify(rows)) return undefined;
  return isUpgraded ? "after" : "before";
}
