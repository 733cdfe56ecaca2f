import { type Call, type Clock, distinct, type Logger } from "edgehelm";
import { errorText, type Events } from "edgehelm/runtime";
import type { DomainVerification, NSDomains, NSDomainSummary } from "../ns_domain/contract.ts";
import type { KeyChanges } from "./changes.ts";
import { dsText } from "./dnskey.ts";
import { dsAwaited, dsMissing } from "./events.ts";
import type { KeySet } from "./key_sets.ts";
import type { PrivateKeys } from "./keys.ts";
import { Parent } from "./parents.ts";
import type { DNSSECStore, ParentStatus, ZoneRow } from "./store.ts";
import { secondsOf, type Waits } from "./waits.ts";

export interface JobsDeps {
  readonly store: DNSSECStore;
  readonly changes: KeyChanges;
  readonly keys: PrivateKeys;
  readonly domains: NSDomains;
  readonly parents: DomainVerification;
  readonly events: Events;
  readonly clock: Clock;
  readonly log: Logger;
  readonly waits: Waits;
}

const BATCH_SIZE = 100;
const MAX_BATCHES = 100;
/** The parents that one run of the job asks, at most, and how many of them at once. */
const MAX_CHECKS = 100;
const CHECKS_AT_ONCE = 10;

/** The work in the background: each run continues where an earlier one ended, or was cut off. */
export class KeyJobs {
  readonly #deps: JobsDeps;

  constructor(deps: JobsDeps) {
    this.#deps = deps;
  }

  /** Takes the next step of all zones whose time has come. */
  async roll(call: Call): Promise<void> {
    const { store, clock } = this.#deps;
    for (let batch = 0; batch < MAX_BATCHES; batch++) {
      const due = await store.due.all(call, { now: secondsOf(clock), limit: BATCH_SIZE });
      for (const { nsDomainId } of due) await this.#step(call, nsDomainId);
      if (due.length < BATCH_SIZE) return;
    }
  }

  async #step(call: Call, nsDomainId: bigint): Promise<void> {
    const { changes, keys, clock } = this.#deps;
    const found = await changes.find(call, nsDomainId);
    if (found === undefined) return;
    const isZSKDue = (set: KeySet) => set.nextZSKAt !== 0n && set.nextZSKAt <= secondsOf(clock);
    const zsk = isZSKDue(found) ? await keys.make("ZSK", found.keys.map(({ keyTag }) => keyTag)) : undefined;
    await call.transact(async (inner) => {
      const current = async () => await changes.find(inner, nsDomainId);
      const set = await current();
      if (set === undefined) return;
      if (set.zone.disableAt !== 0n && set.zone.disableAt <= secondsOf(clock)) {
        return await changes.remove(inner, [set.zone.id]);
      }
      if (zsk !== undefined && isZSKDue(set)) await changes.rollZSK(inner, set, zsk);
      await changes.removeOld(inner, (await current())!);
      await this.#announce(inner, (await current())!);
      await changes.schedule(inner, nsDomainId);
    });
  }

  /** Asks the owner to publish the DS record of a new key, once that is safe. */
  async #announce(call: Call, set: KeySet): Promise<void> {
    const { changes, domains, events, clock } = this.#deps;
    const { newKSK, zone, publishDSAt } = set;
    if (newKSK === undefined || newKSK.isAnnounced === 1n || publishDSAt > secondsOf(clock)) return;
    const domain = (await domains.summaries(call, [zone.nsDomainId])).get(zone.nsDomainId);
    await changes.announced(call, newKSK);
    if (domain === undefined) return;
    const data = { nsDomainId: domain.id, name: domain.name, ds: await dsText(domain.name, newKSK) };
    await events.emit(call, dsAwaited, data, domain.userId);
  }

  /** Checks what the parents of signed domains publish. */
  async checkParents(call: Call): Promise<void> {
    const { store, domains, parents, clock } = this.#deps;
    if (!parents.isAvailable) return;
    const zones = await store.unchecked.all(call, { now: secondsOf(clock), limit: MAX_CHECKS });
    const known = await domains.summaries(call, distinct(zones.map(({ nsDomainId }) => nsDomainId)));
    for (let at = 0; at < zones.length; at += CHECKS_AT_ONCE) {
      const some = zones.slice(at, at + CHECKS_AT_ONCE).map((zone) => ({ zone, domain: known.get(zone.nsDomainId) }));
      const asked = await Promise.all(some.map(async (one) => ({ ...one, parent: await this.#ask(call, one.domain) })));
      for (const { zone, domain, parent } of asked) await this.#check(call, zone, domain, parent);
    }
  }

  /** Asks the parent of a domain; returns undefined if no resolver responds. */
  async #ask(call: Call, domain: NSDomainSummary | undefined): Promise<Parent | undefined> {
    if (domain === undefined) return undefined;
    try {
      return await Parent.ask(call, this.#deps.parents, domain.name);
    } catch (error) {
      this.#deps.log.warn("the parent of a domain cannot be asked", { domain: domain.name, error: errorText(error) });
      return undefined;
    }
  }

  async #check(
    call: Call,
    zone: ZoneRow,
    domain: NSDomainSummary | undefined,
    parent: Parent | undefined,
  ): Promise<void> {
    const { store, changes, events, clock, waits } = this.#deps;
    const set = await changes.find(call, zone.nsDomainId);
    const ksk = set?.currentKSKs.at(0);
    if (domain === undefined || parent === undefined || set === undefined || ksk === undefined) {
      return await this.#checkLater(call, zone);
    }
    const trusted = set.keys.filter(({ role }) => role === "KSK");
    const parentStatus = statusOf(parent, await parent.hasOneOf(trusted), set.zone.parentStatus);
    const now = secondsOf(clock);
    const nextCheckAt = parentStatus === "present" ? now + waits.check : now + waits.earlyCheck;
    await call.transact(async (inner) => {
      const current = await changes.find(inner, zone.nsDomainId);
      if (current?.zone.id !== zone.id || current.zone.parentStatus !== set.zone.parentStatus) return;
      await store.setCheck.run(inner, { id: zone.id, parentStatus, now, nextCheckAt });
      const isBad = parentStatus === "wrong" || parentStatus === "missing" && current.zone.disableAt === 0n;
      if (!isBad || parentStatus === set.zone.parentStatus) return;
      const data = { nsDomainId: domain.id, name: domain.name, ds: await dsText(domain.name, ksk), parentStatus };
      await events.emit(inner, dsMissing, data, domain.userId);
    });
  }

  async #checkLater(call: Call, { id }: ZoneRow): Promise<void> {
    const { store, clock, waits } = this.#deps;
    const nextCheckAt = secondsOf(clock) + waits.earlyCheck;
    await call.transact((inner) => store.setNextCheck.run(inner, { id, nextCheckAt }));
  }
}

function statusOf({ isEmpty }: Parent, isTrusted: boolean, before: ParentStatus): ParentStatus {
  if (isTrusted) return "present";
  if (!isEmpty) return "wrong";
  return before === "" || before === "none" ? "none" : "missing";
}
