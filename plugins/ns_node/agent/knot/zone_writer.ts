import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import type { HeadRow } from "../store/zone_file.ts";
import { type Knotc, KnotError, word } from "./knotc.ts";
import { changedSets, type RecordSets } from "./record_set.ts";

/** A version of a zone, to be written in place of what Knot has. */
export interface ZoneVersion {
  readonly name: string;
  readonly soa: HeadRow;
  /** The sets of the last version and of this one, at the names at which they can differ. */
  readonly before: RecordSets;
  readonly after: RecordSets;
  /** Returns all sets of this version. */
  readonly all: () => RecordSets;
}

const NOTHING: RecordSets = new Map();

/** Writes zones to Knot, each version in one transaction, so that it responds from one version or the next. */
export class ZoneWriter {
  readonly #knotc: Knotc;
  readonly #log: Log;
  readonly #metrics: Metrics;

  constructor(knotc: Knotc, log: Log, metrics: Metrics) {
    this.#knotc = knotc;
    this.#log = log;
    this.#metrics = metrics;
  }

  /** Writes what differs between two versions. Falls back to the whole zone if Knot has something else. */
  async write(version: ZoneVersion): Promise<void> {
    const commands = [`zone-unset ${version.name} @ SOA`, ...commandsOf(version)];
    const refused = await this.#transact(version.name, commands);
    if (refused.length > 0) await this.rewrite(version);
  }

  /** Writes a whole zone in place of whatever Knot has. Records that it refuses are left out, and logged. */
  async rewrite({ name, soa, all }: Pick<ZoneVersion, "name" | "soa" | "all">): Promise<void> {
    this.#metrics.add("rebuilds");
    const owners = await this.#owners(name);
    const removals = owners.map((owner) => `zone-unset ${name} ${word(owner)}`);
    const additions = commandsOf({ name, soa, before: NOTHING, after: all() });
    const refused = new Set(await this.#transact(name, [...removals, ...additions]));
    if (refused.size === 0) return;
    for (const command of refused) {
      this.#log.warn("Knot refused a record", { zone: name, command });
    }
    this.#metrics.add("refused_records", refused.size);
    const accepted = additions.filter((command) => !refused.has(command));
    const left = await this.#transact(name, [...removals, ...accepted]);
    if (left.length > 0) {
      throw new KnotError(`zone ${name}: ${left[0]} is refused`);
    }
  }

  /** Runs commands in a transaction. If Knot refuses some, nothing changes, and they are returned. */
  async #transact(name: string, commands: readonly string[]): Promise<string[]> {
    const [busy = ""] = await this.#knotc.send([`zone-begin ${name}`]);
    if (busy !== "") {
      // one that an agent left when it was killed
      const [, error = ""] = await this.#knotc.send([`zone-abort ${name}`, `zone-begin ${name}`]);
      if (error !== "") throw new KnotError(error);
    }
    const errors = await this.#knotc.send(commands);
    const refused = commands.filter((_, index) => errors[index] !== "");
    const [error = ""] = await this.#knotc.send([`zone-${refused.length === 0 ? "commit" : "abort"} ${name}`]);
    if (error !== "") {
      await this.#knotc.send([`zone-abort ${name}`]);
      throw new KnotError(error);
    }
    if (refused.length === 0) this.#metrics.add("commits");
    return refused;
  }

  /** Returns the names at which Knot has records of a zone. */
  async #owners(name: string): Promise<string[]> {
    const text = await this.#knotc.run("zone-read", name).catch((error) => {
      // a zone that was added has no content yet
      if (String(error).includes("no such record") || String(error).includes("empty")) return "";
      throw error;
    });
    const owners = text.split("\n").flatMap((line) => /^\[[^\]]*\] (\S+) /.exec(line)?.[1] ?? []);
    return [...new Set(owners)];
  }
}

function commandsOf({ name, soa, before, after }: Omit<ZoneVersion, "all">): string[] {
  const commands: string[] = [];
  const set = (row: HeadRow) => commands.push(`zone-set ${name} ${row.name} ${row.ttl} ${row.type} ${word(row.data)}`);
  const changed = changedSets(before, after);
  // all removals first: a CNAME must not meet other records of its name
  for (const key of changed) {
    if (before.has(key)) commands.push(`zone-unset ${name} ${key}`);
  }
  set(soa);
  for (const key of changed) {
    const { name: owner, type, ttl, data } = after.get(key) ?? { name: "", type: "", ttl: 0, data: [] };
    for (const one of data) set({ name: owner, type, ttl, data: one });
  }
  return commands;
}
