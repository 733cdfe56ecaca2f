import { type Call, type Clock, unixSeconds } from "edgehelm";
import type { Timers } from "edgehelm/runtime";
import { ACMEError } from "../acme_provider/contract/acme_error.ts";
import type { ACMEConnections } from "../acme_provider/contract/connections.ts";
import type { ACMERegistrations } from "../acme_provider_account/contract.ts";
import type { ACMEUsers } from "../acme_user/contract.ts";
import type { SSLCerts } from "../ssl_cert/contract.ts";
import { errors } from "./errors.ts";
import type { Runner } from "./runner.ts";
import type { OrderStore } from "./store_orders.ts";
import type { TaskRow } from "./store_tables.ts";
import type { TaskStore } from "./store.ts";

/** The time before the deadline of a call at which its response is sent. */
const RESERVE_MILLISECONDS = 2000;
const MAX_WAIT_MILLISECONDS = 1000;

export interface RequestedRunDeps {
  readonly tasks: TaskStore;
  readonly orders: OrderStore;
  readonly runner: Runner;
  readonly connections: ACMEConnections;
  readonly registrations: ACMERegistrations;
  readonly acmeUsers: ACMEUsers;
  readonly certificates: SSLCerts;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly systemCall: (name: string, deadline?: number) => Call;
}

/** Does what people ask for: orders and revocations now. */
export class RequestedRuns {
  readonly #deps: RequestedRunDeps;

  constructor(deps: RequestedRunDeps) {
    this.#deps = deps;
  }

  /** Orders now, or continues, and waits for a result until shortly before the deadline. */
  async run(call: Call, id: bigint) {
    const { tasks, orders, runner, systemCall } = this.#deps;
    const before = await this.#latest(call, id);
    await call.transact((inner) => tasks.setDue.run(inner, { id, dueAt: this.#now() }));
    const end = call.deadline - RESERVE_MILLISECONDS;
    const running = systemCall("acme_task.run", end);
    for (;;) {
      await runner.run(running, id);
      const latest = await this.#latest(call, id);
      if (latest !== undefined && latest.id !== before?.id) {
        const [task] = await tasks.byIds.all(call, { ids: [id] });
        const isOk = latest.isOk === 1n;
        return { isOk, error: latest.error, sslCertId: isOk ? task?.sslCertId ?? 0n : 0n };
      }
      const isOpen = await orders.open.first(call, { acmeTaskId: id }) !== undefined;
      if (Date.now() + MAX_WAIT_MILLISECONDS > end || call.signal.aborted) {
        const text = isOpen ? "the order is under way and continues in the background" : before?.error ?? "";
        return { isOk: false, error: text, sslCertId: 0n };
      }
      await this.#wait();
    }
  }

  /** Revokes the certificate of a task, and turns it off. */
  async revoke(call: Call, task: TaskRow, reason: number): Promise<void> {
    const { certificates, acmeUsers, registrations, connections, tasks } = this.#deps;
    const { id, sslCertId, acmeUserId } = task;
    const certificate = sslCertId === 0n ? undefined : await certificates.certificateOf(call, sslCertId);
    const registrationId = await acmeUsers.registrationOf(call, acmeUserId);
    if (certificate === undefined || registrationId === undefined) return;
    const pem = new TextDecoder().decode(certificate);
    try {
      await registrations.use(call, registrationId, (account) => connections.revoke(call, account, pem, reason));
    } catch (error) {
      if (!(error instanceof ACMEError)) throw error;
      if (error.type !== "alreadyRevoked") throw errors.refused(error.message);
    }
    await call.transact(async (inner) => {
      await certificates.turnOff(inner, sslCertId);
      await tasks.setDue.run(inner, { id, dueAt: task.autoRenew === 1n ? this.#now() : 0n });
    });
  }

  async #latest(call: Call, id: bigint) {
    return (await this.#deps.orders.latestLogs.all(call, { acmeTaskIds: [id] }))[0];
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => void this.#deps.timers.after(MAX_WAIT_MILLISECONDS, resolve));
  }

  #now(): bigint {
    return unixSeconds(this.#deps.clock);
  }
}
