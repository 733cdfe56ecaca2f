import type { Call, Clock } from "edgehelm";
import type { Events } from "edgehelm/runtime";
import type { NSDomainSummary } from "../ns_domain/contract.ts";
import { dsText } from "./dnskey.ts";
import { errors } from "./errors.ts";
import { keysMade } from "./events.ts";
import { KeySet } from "./key_sets.ts";
import type { NewKey } from "./keys.ts";
import type { DNSSECStore, KeyRow, ZoneRow } from "./store.ts";
import { secondsOf, type Waits } from "./waits.ts";

export interface ChangesDeps {
  readonly store: DNSSECStore;
  readonly events: Events;
  readonly clock: Clock;
  readonly waits: Waits;
}

/** Reads and changes the keys of domains. Each change belongs into a transaction. */
export class KeyChanges {
  readonly #deps: ChangesDeps;

  constructor(deps: ChangesDeps) {
    this.#deps = deps;
  }

  /** Returns the keys of a domain; undefined if it is not signed. */
  async find(call: Call, nsDomainId: bigint): Promise<KeySet | undefined> {
    const zone = await this.#deps.store.ofDomain.first(call, { nsDomainId });
    return zone === undefined ? undefined : await this.#keySet(call, zone);
  }

  /**
   * Returns the keys of a domain.
   *
   * @throws `ns_dnssec.not_enabled` if it is not signed
   */
  async require(call: Call, { id, name }: NSDomainSummary): Promise<KeySet> {
    const found = await this.find(call, id);
    if (found === undefined) throw errors.not_enabled(name);
    return found;
  }

  /** Signs a domain with new keys. */
  async create(call: Call, domain: NSDomainSummary, keys: readonly NewKey[]): Promise<void> {
    const { store, events, clock } = this.#deps;
    const now = secondsOf(clock);
    const row = { nsDomainId: domain.id, nsClusterId: domain.nsClusterId, createdAt: now, nextAt: now };
    const zoneId = await store.create(call, { ...row, nextCheckAt: now });
    for (const key of keys) {
      await store.insertKey.run(call, { ...key, zoneId, publishAt: now, activeAt: now, isAnnounced: 1n });
    }
    await this.schedule(call, domain.id);
    const ksk = keys.find(({ role }) => role === "KSK")!;
    const data = { nsDomainId: domain.id, name: domain.name, ds: await dsText(domain.name, ksk) };
    await events.emit(call, keysMade, data, domain.userId);
  }

  /** Adds a key signing key, which signs beside the one that it is to replace. */
  async addKSK(call: Call, { zone }: KeySet, key: NewKey): Promise<void> {
    const now = secondsOf(this.#deps.clock);
    const times = { publishAt: now, activeAt: now, isAnnounced: 0n };
    await this.#deps.store.insertKey.run(call, { ...key, ...times, zoneId: zone.id });
    await this.#publish(call, zone);
  }

  /** Retires the key signing keys before the newest one, of which the parent has the DS record. */
  async retireKSKs(call: Call, { zone, currentKSKs }: KeySet): Promise<void> {
    const { store, clock, waits } = this.#deps;
    const retireAt = secondsOf(clock) + waits.forgetDS;
    for (const { id } of currentKSKs.slice(0, -1)) {
      await store.retireKey.run(call, { id, retireAt, removeAt: retireAt });
    }
    await this.#publish(call, zone);
  }

  /** Publishes the next zone signing key, and has it sign in place of the last one once resolvers know it. */
  async rollZSK(call: Call, { zone, lastZSK }: KeySet, key: NewKey): Promise<void> {
    const { store, clock, waits } = this.#deps;
    const now = secondsOf(clock);
    const activeAt = now + waits.publish;
    await store.insertKey.run(call, { ...key, zoneId: zone.id, publishAt: now, activeAt, isAnnounced: 1n });
    const removeAt = activeAt + waits.forgetSignatures;
    if (lastZSK !== undefined) await store.retireKey.run(call, { id: lastZSK.id, retireAt: activeAt, removeAt });
    await this.#publish(call, zone);
  }

  /** Erases keys that nodes do not publish any more. */
  async removeOld(call: Call, { zone, keys }: KeySet): Promise<void> {
    const now = secondsOf(this.#deps.clock);
    const old = keys.filter(({ removeAt }) => removeAt !== 0n && removeAt <= now);
    for (const { id } of old) await this.#deps.store.deleteKey.run(call, { id });
    if (old.length > 0) await this.#publish(call, zone);
  }

  /** Sets the time at which the keys are erased; 0 keeps them. */
  async disableAt(call: Call, { zone }: KeySet, disableAt: bigint): Promise<void> {
    await this.#publish(call, { ...zone, disableAt });
  }

  /** Erases all keys. Nodes no longer sign the domain. */
  async remove(call: Call, zoneIds: readonly bigint[]): Promise<void> {
    for (const zoneId of zoneIds) await this.#deps.store.deleteKeysOf.run(call, { zoneId });
    await this.#deps.store.softDelete(call, zoneIds);
  }

  /** Sets the time of the next step, without a new version for nodes. */
  async schedule(call: Call, nsDomainId: bigint): Promise<void> {
    const found = await this.find(call, nsDomainId);
    if (found !== undefined) await this.#deps.store.setNext.run(call, { id: found.zone.id, nextAt: found.nextAt });
  }

  /** Notes that the owner was asked to publish the DS record of a key. */
  async announced(call: Call, { id }: KeyRow): Promise<void> {
    await this.#deps.store.announceKey.run(call, { id });
  }

  /** Gives the keys of a zone a new version, so that nodes fetch them. */
  async #publish(call: Call, zone: ZoneRow): Promise<void> {
    const { nextAt } = await this.#keySet(call, zone);
    await this.#deps.store.change(call, zone, { nextAt });
  }

  async #keySet(call: Call, zone: ZoneRow): Promise<KeySet> {
    return new KeySet(zone, await this.#deps.store.keysOf.all(call, { zoneIds: [zone.id] }), this.#deps.waits);
  }
}
