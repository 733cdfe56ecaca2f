import type { Key } from "../store/node_state.ts";
import { type Knotc, KnotError, word } from "./knotc.ts";

/** A zone as Knot has to be configured for it. */
export interface ConfiguredZone {
  readonly id: string;
  readonly name: string;
  /** The keys that may sign transfers; none refuses them. */
  readonly keys: readonly Key[];
}

const TEMPLATE = "edgehelm";
/** Content comes from transactions only; Knot keeps it in its journal. */
const TEMPLATE_SETTINGS = [
  ["zonefile-load", "none"],
  ["zonefile-sync", "-1"],
  ["journal-content", "all"],
] as const;
const ACL = "edgehelm-";
/** The zones that one transaction adds or removes. */
const BATCH_SIZE = 500;
const NO_KEYS = "[]";

/** Zones, keys and permissions in the configuration of Knot. What is not from this agent stays as it is. */
export class KnotConfiguration {
  readonly #knotc: Knotc;
  /** The settings of transfers that Knot has, by zone name. */
  readonly #transfers = new Map<string, string>();
  #zones = new Set<string>();

  constructor(knotc: Knotc) {
    this.#knotc = knotc;
  }

  /** The names of the zones of this agent that Knot has. */
  get names(): ReadonlySet<string> {
    return this.#zones;
  }

  /** Reads which zones of this agent Knot has. */
  async read(): Promise<void> {
    const [zones, templates] = [await this.lines("zone"), await this.lines("template")];
    this.#zones = new Set(zones.flatMap((line) => /^zone\[(.+)\.\]\.template = edgehelm$/.exec(line)?.[1] ?? []));
    const limited = new Set(zones.flatMap((line) => /^zone\[(.+)\.\]\.acl = /.exec(line)?.[1] ?? []));
    this.#transfers.clear();
    for (const name of this.#zones) {
      if (!limited.has(name)) this.#transfers.set(name, NO_KEYS);
    }
    if (!templates.some((line) => line.startsWith(`template[${TEMPLATE}].journal-content`))) {
      const settings = TEMPLATE_SETTINGS.map(([name, value]) => `conf-set template[${TEMPLATE}].${name} ${value}`);
      await this.transact([`conf-set template[${TEMPLATE}]`, ...settings]);
    }
  }

  /** Returns the serials of the zones that have content. */
  async serials(): Promise<ReadonlyMap<string, number>> {
    const text = await this.#knotc.run("zone-status", "+serial");
    const found = text.split("\n").flatMap((line) => {
      const [zone = "", , serial = ""] = line.split(" ");
      return /^\d+$/.test(serial) ? [[zone.slice(1, -2), Number(serial)] as const] : [];
    });
    return new Map(found);
  }

  /** Adds zones that Knot does not have, and changes who may transfer the others. Returns those that were added. */
  async ensure(zones: readonly ConfiguredZone[]): Promise<ConfiguredZone[]> {
    const added = zones.filter(({ name }) => !this.#zones.has(name));
    for (let at = 0; at < added.length; at += BATCH_SIZE) {
      await this.#add(added.slice(at, at + BATCH_SIZE));
    }
    for (const zone of zones) {
      const wanted = JSON.stringify(zone.keys.map(({ name, algorithm, secret }) => [name, algorithm, secret]));
      if (this.#transfers.get(zone.name) === wanted) continue;
      await this.#setTransfer(zone);
      this.#transfers.set(zone.name, wanted);
    }
    return added;
  }

  /** Removes zones with their content, so that none of it comes back if they are added again. */
  async remove(names: Iterable<string>): Promise<void> {
    const known = [...names].filter((name) => this.#zones.has(name));
    for (let at = 0; at < known.length; at += BATCH_SIZE) {
      const some = known.slice(at, at + BATCH_SIZE);
      await this.transact(some.map((name) => `conf-unset zone[${name}]`));
      for (const name of some) {
        this.#zones.delete(name);
        this.#transfers.delete(name);
        await this.#knotc.run("-f", "zone-purge", "+orphan", name);
      }
    }
  }

  async #add(zones: readonly ConfiguredZone[]): Promise<void> {
    // what an earlier removal left when the agent was killed
    for (const { name } of zones) {
      await this.#knotc.run("-f", "zone-purge", "+orphan", name);
    }
    await this.transact(
      zones.flatMap(({ name }) => [`conf-set zone[${name}]`, `conf-set zone[${name}].template ${TEMPLATE}`]),
    );
    for (const { name } of zones) {
      this.#zones.add(name);
      this.#transfers.set(name, NO_KEYS);
    }
  }

  async #setTransfer({ id, name, keys }: ConfiguredZone): Promise<void> {
    const acl = `acl[${ACL}${id}]`;
    const [acls, known] = [await this.lines("acl"), await this.lines("key")];
    const own = await this.lines(`zone[${name}].acl`).catch(() => []);
    const commands: string[] = [];
    if (own.length > 0) commands.push(`conf-unset zone[${name}].acl`);
    if (acls.some((line) => line === `acl.id = ${ACL}${id}`)) {
      commands.push(`conf-unset ${acl}`);
    }
    if (keys.length > 0) {
      for (const key of keys) {
        if (known.includes(`key.id = ${key.name}.`)) {
          commands.push(`conf-unset key[${key.name}]`);
        }
        commands.push(
          `conf-set key[${key.name}]`,
          `conf-set key[${key.name}].algorithm ${key.algorithm}`,
          `conf-set key[${key.name}].secret ${word(key.secret)}`,
        );
      }
      commands.push(`conf-set ${acl}`, ...keys.map((key) => `conf-set ${acl}.key ${key.name}`));
      commands.push(`conf-set ${acl}.action transfer`, `conf-set zone[${name}].acl ${ACL}${id}`);
    }
    if (commands.length > 0) await this.transact(commands);
  }

  /** Returns the serial that Knot has of a zone; 0 if the zone has no content. */
  async serialOf(name: string): Promise<number> {
    const serial = /serial: (\d+)/.exec(await this.#knotc.run("zone-status", name, "+serial"))?.[1];
    return Number(serial ?? 0);
  }

  /** Returns what Knot has below an item of its configuration, one line for each value. */
  async lines(item: string): Promise<string[]> {
    return (await this.#knotc.run("conf-read", item)).split("\n").filter((line) => line !== "");
  }

  /** Runs commands in a transaction of the configuration: all or none. */
  async transact(commands: readonly string[]): Promise<void> {
    await this.stage(commands);
    await this.commit();
  }

  /** Begins a transaction of the configuration, and runs commands in it, or none. */
  async stage(commands: readonly string[]): Promise<void> {
    const [busy = ""] = await this.#knotc.send(["conf-begin"]);
    if (busy !== "") {
      const [, error = ""] = await this.#knotc.send(["conf-abort", "conf-begin"]);
      if (error !== "") throw new KnotError(error);
    }
    const errors = await this.#knotc.send(commands);
    const failed = errors.find((error) => error !== "");
    if (failed === undefined) return;
    await this.abort();
    throw new KnotError(failed);
  }

  /** Ends a transaction: Knot takes over what was staged. */
  async commit(): Promise<void> {
    const [error = ""] = await this.#knotc.send(["conf-commit"]);
    if (error === "") return;
    await this.abort();
    throw new KnotError(error);
  }

  async abort(): Promise<void> {
    await this.#knotc.send(["conf-abort"]);
  }
}
