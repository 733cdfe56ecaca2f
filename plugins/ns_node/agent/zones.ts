import type { KnotConfiguration } from "./knot/configuration.ts";
import type { KnotSigning } from "./knot/signing.ts";
import { errorText, type Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { changedSets, type RecordSets, recordSets, startOfAuthority } from "./knot/record_set.ts";
import { isAfter, nextSerial } from "./knot/serial.ts";
import type { KnotTailor, StagedRules } from "./knot/tailor.ts";
import type { ZoneWriter } from "./knot/zone_writer.ts";
import { type Matching, tailoringsOf } from "./routes/compose.ts";
import { addressesOf, byPrecedence } from "./routes/route.ts";
import type { PulledZone } from "./pulls.ts";
import type { Key, NodeState } from "./store/node_state.ts";
import type { ZoneFile, ZoneRow } from "./store/zone_file.ts";

const DAY_MILLISECONDS = 86_400_000;

/** The dependencies of {@link Zones}. */
export interface ZonesDeps {
  readonly state: NodeState;
  readonly configuration: KnotConfiguration;
  readonly signing: KnotSigning;
  readonly writer: ZoneWriter;
  readonly tailor: KnotTailor;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** The zones of a node, on disk and in Knot. Each change is in Knot before it is on disk. */
export class Zones {
  readonly #deps: ZonesDeps;
  readonly #unclear = new Set<string>();
  /** The domains that could not be signed, with the errors. */
  readonly #unsigned = new Map<string, string>();
  #matching: Matching | undefined;
  /** The serials that Knot had at the last inspection. */
  #knotSerials = new Map<string, number>();

  constructor(deps: ZonesDeps) {
    this.#deps = deps;
  }

  /**
   * Compares what Knot has with what is on disk: to be called before the first change, and whenever Knot may have been
   * started again. Zones that Knot lost are written again; those in which it has another version are marked, because the
   * server may have a later one than the disk.
   */
  async inspect(): Promise<void> {
    const { state, configuration, signing, writer, tailor } = this.#deps;
    await configuration.read();
    await signing.read();
    await tailor.read();
    this.#knotSerials = new Map(await configuration.serials());
    this.#unclear.clear();
    for (const file of state.zones.values()) {
      const { name, authority, served, isOn } = file.head;
      if (served === 0 || !isOn) continue;
      await configuration.ensure([this.#configured(file, name)]);
      const hasContent = this.#knotSerials.has(name);
      if (!await this.#sign(file, name, hasContent)) continue;
      const serial = this.#knotSerials.get(name);
      await this.#tailor(file, name);
      if (serial === served) continue;
      if (serial !== undefined) this.#unclear.add(file.id);
      else {
        const all = () => recordSets(authority, file.rows.values());
        await writer.rewrite({ name, soa: startOfAuthority(authority, served), all });
        await this.#sign(file, name, true);
      }
    }
  }

  /** The domains in whose zones Knot has another version than the disk. */
  get unclear(): ReadonlySet<string> {
    return this.#unclear;
  }

  /** Removes the zones that Knot has and the disk does not. To be called when everything has come. */
  async removeOthers(): Promise<void> {
    const { state, configuration } = this.#deps;
    const own = new Set([...state.zones.values()].map(({ head }) => head.name));
    await configuration.remove([...configuration.names].filter((name) => !own.has(name)));
  }

  /** Takes over the change of a zone, or all of it in place of what was there. */
  async take(pulled: PulledZone, isWhole: boolean): Promise<void> {
    const { state, writer } = this.#deps;
    const file = state.zone(pulled.id);
    if (!pulled.isServed || !file.head.isOn) return await this.drop(pulled.id);
    const rows = changedRows(isWhole ? new Map() : file.rows, pulled);
    const { authority, name, version, serial } = pulled;
    const isUnknown = await this.#isUnknown(file, name);
    // a zone that must be signed has no content without signatures
    if (!await this.#sign(file, name, file.head.served !== 0)) return;
    const names = isUnknown || isWhole ? undefined : changedNames(file, pulled);
    const before = recordSets(file.head.authority, file.rows.values(), names);
    const after = recordSets(authority, rows.values(), names);
    const isChanged = isUnknown || this.#differs(file, pulled, before, after);
    const last = isUnknown || isChanged ? await this.#lastSerial(file, name) : file.head.served;
    const served = isChanged ? nextSerial(serial, last) : last;
    const rules = await this.#stageRules(file, name, rows);
    if (isChanged) {
      const all = () => recordSets(authority, rows.values());
      const zone = { name, soa: startOfAuthority(authority, served), before, after, all };
      try {
        await (isUnknown ? writer.rewrite(zone) : writer.write(zone));
      } catch (error) {
        await rules?.abort();
        throw error;
      }
    }
    await this.#commitRules(name, rules);
    if (isChanged) {
      await this.#sign(file, name, true);
      this.#unclear.delete(pulled.id);
    }
    const head = { ...file.head, name, version, serial, served, authority };
    if (isWhole) file.replace(head, rows.values());
    else file.append(head, pulled.rows);
  }

  /** Has Knot no longer answer for a domain. */
  async drop(id: string): Promise<void> {
    const { state, configuration, signing, tailor } = this.#deps;
    const file = state.zone(id);
    const { name, served } = file.head;
    // first on disk: the zone must not come back if the agent is killed now
    if (served !== 0) file.append({ ...file.head, isOn: false, served: 0 }, []);
    if (name !== "") await configuration.remove([name]);
    if (name !== "") await signing.forget(name);
    if (name !== "") await tailor.forget(name);
    if (state.keySets.has(id)) state.saveKeySets(new Map([...state.keySets].filter(([key]) => key !== id)));
    this.#unsigned.delete(id);
    this.#unclear.delete(id);
    state.removeZone(id);
  }

  /** Takes over the routes on disk for all zones. */
  async setRoutes(): Promise<void> {
    this.#matching = undefined;
    for (const file of this.#deps.state.zones.values()) {
      if (file.head.served !== 0) await this.#tailor(file, file.head.name);
    }
  }

  /** Changes who may transfer zones that Knot has. */
  async setTransfers(ids: Iterable<string>): Promise<void> {
    const { state, configuration } = this.#deps;
    const files = [...ids].flatMap((id) => state.zones.get(id) ?? []).filter(({ head }) => head.served !== 0);
    await configuration.ensure(files.map((file) => this.#configured(file, file.head.name)));
  }

  /** Has Knot sign zones with other keys, or no more. Zones that must not be signed any more are found as well. */
  async setSigning(ids: Iterable<string>): Promise<void> {
    const { state, signing } = this.#deps;
    const changed = new Set(ids);
    for (const file of [...state.zones.values()]) {
      const { id, head: { name, served } } = file;
      if (served === 0) continue;
      if (changed.has(id) || this.#unsigned.has(id)) await this.#sign(file, name, true);
      if (changed.has(id)) await this.#tailor(file, name);
      if (!state.keySets.has(id) && signing.isSigned(name)) await this.#unsign(file);
    }
  }

  /** @throws Error if a zone is not signed as it must be */
  requireSigned(): void {
    const [first] = this.#unsigned;
    if (first !== undefined) throw new Error(`a zone cannot be signed: ${first[1]}`);
  }

  /**
   * Has Knot sign a zone if it must. Returns false, and goes on with other zones, if Knot cannot.
   *
   * @param hasContent true to wait until the content of the zone is signed
   */
  async #sign({ id }: ZoneFile, name: string, hasContent: boolean): Promise<boolean> {
    const { state, signing, log, metrics } = this.#deps;
    const set = state.keySets.get(id);
    this.#unsigned.delete(id);
    if (set === undefined) return true;
    try {
      await signing.sign(name, set);
      if (hasContent) await signing.verify(name);
      return true;
    } catch (error) {
      metrics.add("signing_errors");
      log.warn("a zone cannot be signed", { zone: name, error: errorText(error) });
      this.#unsigned.set(id, errorText(error));
      return false;
    }
  }

  /** Has Knot respond by route and weight with the rules of the records on disk. */
  async #tailor(file: ZoneFile, name: string): Promise<void> {
    await this.#commitRules(name, await this.#stageRules(file, name, file.rows));
  }

  /** Prepares the rules of routes and weights. The module signs when it reads them, with the keys of the zone. */
  async #stageRules(
    { id }: ZoneFile,
    name: string,
    rows: ReadonlyMap<string, ZoneRow>,
  ): Promise<StagedRules | undefined> {
    const { state, tailor } = this.#deps;
    if (!tailor.isUsable) return undefined;
    this.#matching ??= {
      routes: [...state.routes.values()].sort(byPrecedence).map((route) => ({
        code: route.code,
        addresses: addressesOf(route),
      })),
      hasCountries: tailor.hasCountries,
    };
    const keys = state.keySets.get(id);
    const signedOn = keys === undefined ? "" : `${Math.floor(Date.now() / DAY_MILLISECONDS)} ${JSON.stringify(keys)}`;
    const tailorings = tailoringsOf(name, rows.values(), this.#matching);
    return await tailor.stage(id, name, tailorings, signedOn).catch((error) => this.#rulesFailed(name, error));
  }

  async #commitRules(name: string, rules: StagedRules | undefined): Promise<void> {
    await rules?.commit().catch((error) => this.#rulesFailed(name, error));
  }

  /** Goes on with the rules that Knot had; the next inspection tries again. */
  #rulesFailed(zone: string, error: unknown): undefined {
    const { log, metrics } = this.#deps;
    metrics.add("route_errors");
    log.warn("routes and weights of a zone are not changed", { zone, error: errorText(error) });
  }

  /** Removes signatures with a new version of the zone, then keys: if the agent is killed, they show what is left to do. */
  async #unsign(file: ZoneFile): Promise<void> {
    const { signing, writer } = this.#deps;
    const { head } = file;
    await signing.stop(head.name);
    const served = nextSerial(head.serial, await this.#lastSerial(file, head.name));
    const all = () => recordSets(head.authority, file.rows.values());
    await writer.rewrite({ name: head.name, soa: startOfAuthority(head.authority, served), all });
    file.append({ ...head, served }, []);
    await signing.forget(head.name);
  }

  /** Returns the last serial of a zone. Knot increases it when it signs. */
  async #lastSerial({ head }: ZoneFile, name: string): Promise<number> {
    const { signing, configuration } = this.#deps;
    const ofKnot = signing.isSigned(name) ? await configuration.serialOf(name) : this.#knotSerials.get(name) ?? 0;
    return later(head.served, ofKnot);
  }

  /** Returns a zone as Knot has to be configured for it. */
  #configured({ id, head }: ZoneFile, name: string) {
    const keys: Key[] = [];
    if (head.isTransferred) {
      for (const key of this.#deps.state.keys.values()) {
        if (key.nsDomainId === id) keys.push(key);
      }
    }
    return { id, name, keys };
  }

  /** Returns true if Knot may have anything in a zone, and adds the zone if Knot does not have it. */
  async #isUnknown(file: ZoneFile, name: string): Promise<boolean> {
    const added = await this.#deps.configuration.ensure([this.#configured(file, name)]);
    return added.length > 0 || file.head.served === 0 || this.#unclear.has(file.id);
  }

  #differs({ head }: ZoneFile, pulled: PulledZone, before: RecordSets, after: RecordSets): boolean {
    const isSameHead = JSON.stringify(head.authority) === JSON.stringify(pulled.authority);
    return !isSameHead || changedSets(before, after).length > 0;
  }
}

/** Returns the names at which a change can make a difference, so that one of a large zone is cheap. */
function changedNames({ rows, head }: ZoneFile, pulled: PulledZone): ReadonlySet<string> {
  const names = new Set([...head.authority, ...pulled.authority].map(({ name }) => name));
  for (const row of pulled.rows) {
    const before = rows.get(row.id);
    if (before !== undefined) names.add(before.name);
    if (!("isDeleted" in row)) names.add(row.name);
  }
  return names;
}

function later(serial: number, other: number): number {
  return other !== 0 && (serial === 0 || isAfter(other, serial)) ? other : serial;
}

function changedRows(rows: ReadonlyMap<string, ZoneRow>, { rows: changes }: PulledZone): Map<string, ZoneRow> {
  const changed = new Map(rows);
  for (const row of changes) {
    if ("isDeleted" in row) changed.delete(row.id);
    else changed.set(row.id, row);
  }
  return changed;
}
