import { type Clock, type Handlers, idField } from "edgehelm";
import type { DomainVerification } from "../ns_domain/contract.ts";
import type { KeyChanges } from "./changes.ts";
import { dnskeyText, dsText } from "./dnskey.ts";
import { errors } from "./errors.ts";
import { type FeedDeps, feedHandlers } from "./feed.ts";
import { Parent } from "./parents.ts";
import type { NSDNSSECService } from "./proto/service_ns_dnssec_pb.ts";
import type { KeyRow } from "./store.ts";
import { secondsOf, type Waits } from "./waits.ts";

/** The dependencies of the handlers. */
export interface Deps extends FeedDeps {
  readonly changes: KeyChanges;
  readonly parents: DomainVerification;
  readonly clock: Clock;
  readonly waits: Waits;
}

/** Implements every operation of the service. */
export function nsDNSSECHandlers(deps: Deps): Handlers<typeof NSDNSSECService> {
  const { changes, keys, domains, parents, clock, waits } = deps;

  async function keyMessage(name: string, row: KeyRow) {
    const { role, publishAt, activeAt, retireAt, removeAt } = row;
    return {
      ...{ role, publishAt, activeAt, retireAt, removeAt },
      keyTag: Number(row.keyTag),
      algorithm: Number(row.algorithm),
      dnskey: dnskeyText(name, row),
      ds: role === "KSK" ? await dsText(name, row) : "",
    };
  }

  return {
    ...feedHandlers(deps),

    async enableNSDomainDNSSEC({ nsDomainId }, call) {
      const domain = await domains.requireDomain(call, idField("nsDomainId", nsDomainId));
      const ksk = await keys.make("KSK", []);
      const zsk = await keys.make("ZSK", [ksk.keyTag]);
      await call.transact(async (inner) => {
        const set = await changes.find(inner, domain.id);
        if (set === undefined) {
          return await changes.create(inner, await domains.requireDomain(inner, domain.id), [ksk, zsk]);
        }
        if (set.status !== "disabling") throw errors.already_enabled(domain.name);
        await changes.disableAt(inner, set, 0n);
      });
      return {};
    },

    async disableNSDomainDNSSEC({ nsDomainId, isForced }, call) {
      const domain = await domains.requireDomain(call, idField("nsDomainId", nsDomainId));
      await changes.require(call, domain);
      const parent = isForced ? undefined : await Parent.ask(call, parents, domain.name);
      if (parent?.isEmpty === false) throw errors.ds_published(domain.name, parent.tags);
      await call.transact(async (inner) => {
        const set = await changes.require(inner, domain);
        if (isForced) return await changes.remove(inner, [set.zone.id]);
        if (set.status === "disabling") throw errors.disabling(domain.name);
        await changes.disableAt(inner, set, secondsOf(clock) + waits.forgetDS);
      });
      return {};
    },

    async findNSDomainDNSSEC({ nsDomainId }, call) {
      const domain = await domains.requireDomain(call, idField("nsDomainId", nsDomainId));
      const set = await changes.find(call, domain.id);
      if (set === undefined) return { status: "off" };
      const { zone, status, publishDSAt, nextZSKAt } = set;
      const sorted = set.keys.toSorted((a, b) => a.role < b.role ? -1 : a.role > b.role ? 1 : Number(a.id - b.id));
      return {
        ...{ status, publishDSAt, nextZSKAt },
        keys: await Promise.all(sorted.map((row) => keyMessage(domain.name, row))),
        dsRecords: await Promise.all(set.currentKSKs.map((row) => dsText(domain.name, row))),
        parentStatus: zone.parentStatus,
        parentCheckedAt: zone.parentCheckedAt,
        disableAt: zone.disableAt,
      };
    },

    async startNSDomainKSKRollover({ nsDomainId }, call) {
      const domain = await domains.requireDomain(call, idField("nsDomainId", nsDomainId));
      const { keys: known } = await changes.require(call, domain);
      const ksk = await keys.make("KSK", known.map(({ keyTag }) => keyTag));
      await call.transact(async (inner) => {
        const set = await changes.require(inner, domain);
        if (set.status === "disabling") throw errors.disabling(domain.name);
        if (set.newKSK !== undefined) throw errors.rolling(domain.name, set.newKSK.keyTag);
        await changes.addKSK(inner, set, ksk);
      });
      return {};
    },

    async confirmNSDomainKSKRollover({ nsDomainId }, call) {
      const domain = await domains.requireDomain(call, idField("nsDomainId", nsDomainId));
      const { newKSK } = await changes.require(call, domain);
      if (newKSK === undefined) throw errors.not_rolling(domain.name);
      const parent = await Parent.ask(call, parents, domain.name);
      if (!await parent.has(newKSK)) {
        throw errors.ds_absent(domain.name, await dsText(domain.name, newKSK), parent.tags);
      }
      await call.transact(async (inner) => {
        const set = await changes.require(inner, domain);
        if (set.newKSK?.id !== newKSK.id) throw errors.not_rolling(domain.name);
        await changes.retireKSKs(inner, set);
      });
      return {};
    },
  };
}
