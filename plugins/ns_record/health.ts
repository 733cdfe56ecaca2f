import { type Call, type Clock, distinct, unixSeconds } from "edgehelm";
import type { Events } from "edgehelm/runtime";
import type { NSDomains, NSDomainSummary } from "../ns_domain/contract.ts";
import type { NSNodes } from "../ns_node/contract.ts";
import { errors } from "./errors.ts";
import { cameUp, wentDown } from "./events.ts";
import { isHealthChecked } from "./rows.ts";
import type { NSRecordRow, NSRecordStore } from "./store.ts";
import type { RecordHealthStore } from "./store_health.ts";

/** A report that a node does not repeat for this long no longer counts. */
export const REPORT_SECONDS = 600n;
const BATCH_SIZE = 200;

/** The dependencies of {@link RecordHealth}. */
export interface RecordHealthDeps {
  readonly store: NSRecordStore;
  readonly health: RecordHealthStore;
  readonly domains: NSDomains;
  readonly nodes: NSNodes | undefined;
  readonly events: Events;
  readonly clock: Clock;
}

/**
 * Takes records out of answers while most of the active nodes of their cluster report that the address is down. One node
 * alone, which may have lost its own network, decides only where it is the only one.
 */
export class RecordHealth {
  readonly #deps: RecordHealthDeps;

  constructor(deps: RecordHealthDeps) {
    this.#deps = deps;
  }

  /** Takes the report of the calling node. */
  async report(call: Call, nsRecordId: bigint, isUp: boolean): Promise<void> {
    const { store, health, domains, nodes, clock } = this.#deps;
    const node = await nodes?.callingNode(call);
    const row = await store.byId.first(call, { id: nsRecordId });
    const domain = row && (await domains.served(call, [row.nsDomainId])).get(row.nsDomainId);
    if (domain === undefined || row?.nsClusterId !== node?.nsClusterId) throw errors.not_found(nsRecordId);
    if (!isHealthChecked(row!, domain)) throw errors.not_checked(nsRecordId);
    const report = { nsRecordId, nsNodeId: node!.id };
    if (isUp) await health.withdraw.run(call, report);
    else await health.reportDown.run(call, { ...report, reportedAt: unixSeconds(clock) });
    await this.settle(call, row!, domain, node!.id);
  }

  /** Forgets what nodes reported of a record: to be called when a person decides whether it is up. */
  async forget(call: Call, nsRecordId: bigint): Promise<void> {
    await this.#deps.health.withdrawAll.run(call, { nsRecordId });
    await this.#deps.health.endOutage.run(call, { nsRecordId });
  }

  /** Removes reports that were not repeated, and takes back records for which too few are left. */
  async review(call: Call): Promise<void> {
    const { health, clock } = this.#deps;
    for (;;) {
      const count = await call.transact(async (inner) => {
        const until = unixSeconds(clock) - REPORT_SECONDS;
        const lapsed = await health.lapsed.all(inner, { until, limit: BATCH_SIZE });
        const ids = distinct(lapsed.map(({ nsRecordId }) => nsRecordId));
        if (ids.length > 0) await health.removeLapsed.run(inner, { ids, until });
        return lapsed.length;
      });
      if (count < BATCH_SIZE) break;
    }
    for (let after: bigint | undefined = 0n; after !== undefined;) {
      const from: bigint = after;
      after = await call.transact((inner) => this.#reviewSome(inner, from));
    }
  }

  async #reviewSome(call: Call, after: bigint): Promise<bigint | undefined> {
    const { store, health, domains } = this.#deps;
    const outages = await health.outagesAfter.all(call, { after, limit: BATCH_SIZE });
    for (const { nsRecordId } of outages) {
      const row = await store.byId.first(call, { id: nsRecordId });
      const domain = row && (await domains.summaries(call, [row.nsDomainId])).get(row.nsDomainId);
      if (domain === undefined) await this.forget(call, nsRecordId);
      else await this.settle(call, row!, domain);
    }
    return outages.length < BATCH_SIZE ? undefined : outages.at(-1)!.nsRecordId;
  }

  /**
   * Takes a record out of answers, or back in, by what nodes report of it.
   *
   * @param reporterId a node that is active because it just reported
   */
  async settle(call: Call, row: NSRecordRow, domain: NSDomainSummary, reporterId?: bigint): Promise<void> {
    const { store, health, events, clock } = this.#deps;
    const { id: nsRecordId, name, type, value } = row;
    const outage = await health.outage.first(call, { nsRecordId });
    const isDown = isHealthChecked(row, domain) && await this.#isDown(call, row, reporterId);
    if (isDown === (outage !== undefined)) return;
    const about = { nsRecordId, name, type, value, nsDomainId: domain.id, domain: domain.name };
    if (isDown) {
      // a person took it out
      if (row.isUp === 0n) return;
      await health.beginOutage.run(call, { nsRecordId, beganAt: unixSeconds(clock) });
      await store.change(call, row, { isUp: 0n });
      await events.emit(call, wentDown, about, domain.userId);
    } else {
      await health.endOutage.run(call, { nsRecordId });
      if (row.isUp === 0n) await store.change(call, row, { isUp: 1n });
      await events.emit(call, cameUp, about, domain.userId);
    }
  }

  async #isDown(call: Call, { id: nsRecordId, nsClusterId }: NSRecordRow, reporterId?: bigint): Promise<boolean> {
    const { health, nodes, clock } = this.#deps;
    const since = unixSeconds(clock) - REPORT_SECONDS;
    const reports = await health.reports.all(call, { nsRecordId, since });
    if (reports.length === 0) return false;
    const active = new Set(await nodes?.activeNodes(call, nsClusterId));
    if (reporterId !== undefined) active.add(reporterId);
    const count = reports.filter(({ nsNodeId }) => active.has(nsNodeId)).length;
    return count * 2 > active.size;
  }
}
