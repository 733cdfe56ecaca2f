import { type Call, type Clock, unixSeconds } from "edgehelm";
import { ACMEError } from "../acme_provider/contract/acme_error.ts";
import type { ACMEAccount, ACMEConnections, ACMEOrder } from "../acme_provider/contract/connections.ts";
import { certificateRequestFor } from "../acme_provider/contract/keys.ts";
import type { ACMERegistrations } from "../acme_provider_account/contract.ts";
import type { ACMEUsers } from "../acme_user/contract.ts";
import type { SSLCerts } from "../ssl_cert/contract.ts";
import { callbackOf } from "./callback.ts";
import type { OrderKeys } from "./order_keys.ts";
import type { Claimed, Ownership } from "./ownership.ts";
import { type Proof, type Proofs, proofsOf } from "./proofs.ts";
import type { Results } from "./results.ts";
import { checkSeconds, renewalAt } from "./schedule.ts";
import type { OrderStore } from "./store_orders.ts";
import type { OrderRow, TaskRow } from "./store_tables.ts";
import type { TaskStore } from "./store.ts";

/** The period of the own bound of orders. */
const BOUND_SECONDS = 10_800n;
const BOUND_WAIT_SECONDS = 900;
/** The time that a provider has to check proofs. */
const CHECK_SECONDS = 86_400n;

/** Runs work in a transaction that commits only while the run has claimed the task. */
export type Claim = <Result>(work: (call: Call) => Promise<Result>) => Promise<Result>;

export interface StepDeps {
  readonly tasks: TaskStore;
  readonly orders: OrderStore;
  readonly keys: OrderKeys;
  readonly ownership: Ownership;
  readonly proofs: Proofs;
  readonly results: Results;
  readonly connections: ACMEConnections;
  readonly registrations: ACMERegistrations;
  readonly users: ACMEUsers;
  readonly certificates: SSLCerts;
  readonly clock: Clock;
  readonly dnsSeconds: bigint;
  readonly maxOrders: bigint;
}

/** Takes the steps of an order (RFC 8555, 7.4). The provider's state of the order decides, not what was done before. */
export class OrderSteps {
  readonly #deps: StepDeps;

  constructor(deps: StepDeps) {
    this.#deps = deps;
  }

  /** Takes the next step, and stores when the one after it is due. */
  async take(call: Call, claim: Claim, task: TaskRow, order: OrderRow | undefined): Promise<void> {
    if (order === undefined) return await this.#begin(call, claim, task);
    await this.#deps.registrations.use(call, order.registrationId, async (account) => {
      if (order.url === "") return await this.#place(call, claim, account, task, order);
      await this.#follow(call, claim, account, task, order);
    });
  }

  async #begin(call: Call, claim: Claim, task: TaskRow): Promise<void> {
    const { ownership, users, orders, keys, maxOrders } = this.#deps;
    await ownership.require(call, claimedOf(task));
    const registrationId = await users.registrationOf(call, task.acmeUserId);
    if (registrationId === undefined) throw new ACMEError(`ACME user ${task.acmeUserId} does not exist`, "", 404);
    const since = this.#now() - BOUND_SECONDS;
    const { count } = (await orders.countSince.first(call, { registrationId, since }))!;
    if (count >= maxOrders) {
      throw new ACMEError(`the account placed ${count} orders within 3 hours`, "rateLimited", 429, BOUND_WAIT_SECONDS);
    }
    const key = await keys.create();
    const createdAt = this.#now();
    await claim((inner) => orders.insert.one(inner, { acmeTaskId: task.id, registrationId, createdAt, ...key }));
  }

  /** Places the order, or finds the one that was placed when this process or another one died. */
  async #place(call: Call, claim: Claim, account: ACMEAccount, task: TaskRow, order: OrderRow): Promise<void> {
    const { orders, connections } = this.#deps;
    const { names } = claimedOf(task);
    let found: ACMEOrder | undefined;
    if (order.requestedAt !== 0n) {
      const known = (await orders.knownUrls.all(call, { acmeTaskId: task.id })).map(({ url }) => url);
      found = await connections.findOrder(call, account, names, known);
    }
    await claim((inner) => orders.requested.run(inner, { id: order.id, requestedAt: this.#now() }));
    const { url } = found ?? await connections.newOrder(call, account, names);
    await claim(async (inner) => {
      await orders.placed.run(inner, { id: order.id, url });
      await this.#deps.tasks.waited.run(inner, { id: task.id, dueAt: this.#now() });
    });
  }

  async #follow(call: Call, claim: Claim, account: ACMEAccount, task: TaskRow, order: OrderRow): Promise<void> {
    const current = await this.#deps.connections.order(call, account, order.url);
    switch (current.status) {
      case "pending":
        if (order.step === "proving") return await this.#prove(call, claim, account, task, order, current);
        if (order.answeredAt === 0n) return await this.#answer(call, claim, account, task, order);
        return await this.#check(call, claim, account, task, order, current);
      case "ready":
        return await this.#finalize(call, claim, account, task, order, current);
      case "processing":
        return await this.#wait(claim, task, order, current);
      case "valid":
        return await this.#finish(call, claim, account, task, order, current);
      default:
        throw new ACMEError(await this.#reasonOf(call, account, current), "", 400);
    }
  }

  /** Publishes the responses to all challenges that are open. */
  async #prove(
    call: Call,
    claim: Claim,
    account: ACMEAccount,
    task: TaskRow,
    order: OrderRow,
    { authorizations }: ACMEOrder,
  ): Promise<void> {
    const { connections, ownership, proofs: publisher, orders, tasks, dnsSeconds } = this.#deps;
    const grounds = await ownership.require(call, claimedOf(task));
    const proofs: Proof[] = [];
    for (const url of authorizations) {
      const authorization = await connections.authorization(call, account, url);
      if (authorization.status !== "pending") continue;
      proofs.push(await publisher.answerOf(task, account, url, authorization, grounds));
    }
    if (task.authURL !== "") await callbackOf(call, task.authURL, proofs);
    await claim(async (inner) => {
      await publisher.publish(inner, task, proofs, await ownership.require(inner, claimedOf(task)));
      await orders.proved.run(inner, { id: order.id, proofs: JSON.stringify(proofs) });
      const dueAt = this.#now() + (task.authType === "dns" ? dnsSeconds : 0n);
      await tasks.waited.run(inner, { id: task.id, dueAt });
    });
  }

  /** Asks the provider to check, once for each challenge. */
  async #answer(call: Call, claim: Claim, account: ACMEAccount, task: TaskRow, order: OrderRow): Promise<void> {
    const { connections, orders, tasks } = this.#deps;
    for (const proof of proofsOf(order.proofs)) {
      const { challenges } = await connections.authorization(call, account, proof.authorization);
      const challenge = challenges.find(({ url }) => url === proof.challenge);
      if (challenge?.status === "pending") await connections.answer(call, account, challenge.url);
    }
    await claim(async (inner) => {
      await orders.answered.run(inner, { id: order.id, answeredAt: this.#now() });
      await tasks.waited.run(inner, { id: task.id, dueAt: this.#now() + checkSeconds(0n) });
    });
  }

  async #check(
    call: Call,
    claim: Claim,
    account: ACMEAccount,
    task: TaskRow,
    order: OrderRow,
    current: ACMEOrder,
  ): Promise<void> {
    if (this.#now() - order.answeredAt > CHECK_SECONDS) {
      const reason = await this.#reasonOf(call, account, current);
      throw new ACMEError(`the provider did not check the names within a day: ${reason}`, "", 400);
    }
    await this.#wait(claim, task, order, current);
  }

  async #finalize(
    call: Call,
    claim: Claim,
    account: ACMEAccount,
    task: TaskRow,
    order: OrderRow,
    { finalize, ...current }: ACMEOrder,
  ): Promise<void> {
    const csr = await certificateRequestFor(claimedOf(task).names, await this.#deps.keys.open(order));
    await this.#deps.connections.finalize(call, account, finalize, csr);
    await this.#wait(claim, task, { ...order, step: "issuing" }, current);
  }

  async #wait(
    claim: Claim,
    task: TaskRow,
    { id, checks, step }: OrderRow,
    { retryAfterSeconds }: Pick<ACMEOrder, "retryAfterSeconds">,
  ): Promise<void> {
    const seconds = retryAfterSeconds === undefined ? checkSeconds(checks) : BigInt(retryAfterSeconds);
    await claim(async (inner) => {
      await this.#deps.orders.checked.run(inner, { id, step, checks: checks + 1n });
      await this.#deps.tasks.waited.run(inner, { id: task.id, dueAt: this.#now() + seconds });
    });
  }

  /** Stores the certificate in place of the last one, in the transaction that ends the order. */
  async #finish(
    call: Call,
    claim: Claim,
    account: ACMEAccount,
    task: TaskRow,
    order: OrderRow,
    { certificate: url }: ACMEOrder,
  ): Promise<void> {
    const { connections, certificates, keys, results } = this.#deps;
    const encoder = new TextEncoder();
    const chain = encoder.encode(await connections.certificate(call, account, url));
    const prepared = await certificates.prepare(chain, encoder.encode(await keys.open(order)));
    const { timeBeginAt, timeEndAt } = prepared.derived;
    const nextAt = renewalAt(timeBeginAt, timeEndAt, this.#now());
    await claim(async (inner) => {
      const { sslCertId: previous, userId, id: acmeTaskId } = task;
      const sslCertId = await certificates.putIssued(inner, { prepared, sslCertId: previous, userId, acmeTaskId });
      await results.issued(inner, task, order, { sslCertId, timeEndAt, renewalAt: nextAt });
    });
  }

  /** Returns why an order does not succeed: the words of the provider on the order and on each name. */
  async #reasonOf(call: Call, account: ACMEAccount, { authorizations, error, status }: ACMEOrder): Promise<string> {
    const reasons = error === "" ? [] : [error];
    for (const url of authorizations) {
      const { name, challenges } = await this.#deps.connections.authorization(call, account, url);
      reasons.push(...challenges.filter((one) => one.error !== "").map((one) => `${name}: ${one.error}`));
    }
    return [...new Set(reasons)].join("; ") || `the order is ${status}`;
  }

  #now(): bigint {
    return unixSeconds(this.#deps.clock);
  }
}

/** Returns the names of a task, and how they are proved. */
export function claimedOf({ userId, authType, dnsDomain, domains }: TaskRow): Claimed {
  return { userId, authType, dnsDomain, names: JSON.parse(domains) as string[] };
}
