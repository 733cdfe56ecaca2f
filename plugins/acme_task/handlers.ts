import { type Call, type Clock, type Handlers, invalid, ownerOf, pageOf, unixSeconds } from "edgehelm";
import type { Users } from "../user/contract.ts";
import type { UserQuotas } from "../user_quota/contract.ts";
import { authTypeField, claimedFields } from "./fields.ts";
import { filterOf } from "./filter.ts";
import { logMessage, type MessageDeps, taskMessages } from "./messages.ts";
import type { Ownership } from "./ownership.ts";
import type { ACMETaskService } from "./proto/service_acme_task_pb.ts";
import { ACME_TASKS } from "./quota.ts";
import type { RequestedRuns } from "./requested_runs.ts";
import type { Results } from "./results.ts";
import type { TaskLists } from "./store_lists.ts";
import type { OrderStore } from "./store_orders.ts";
import type { TaskRow } from "./store_tables.ts";
import type { TaskStore } from "./store.ts";
import { renewalAt } from "./schedule.ts";

export interface Deps extends MessageDeps {
  readonly tasks: TaskStore;
  readonly orders: OrderStore;
  readonly lists: TaskLists;
  readonly ownership: Ownership;
  readonly results: Results;
  readonly runs: RequestedRuns;
  readonly users: Users | undefined;
  readonly quotas: UserQuotas | undefined;
  readonly clock: Clock;
}

export function acmeTaskHandlers(deps: Deps): Handlers<typeof ACMETaskService> {
  const { tasks, orders, lists, ownership, runs, acmeUsers, users, quotas, clock } = deps;
  const now = () => unixSeconds(clock);

  return {
    async countAllEnabledACMETasksWithACMEUserId({ acmeUserId }, call) {
      const isVisible = (await acmeUsers.nested(call, [acmeUserId])).get(acmeUserId)?.email !== undefined;
      if (!isVisible) return { count: 0n };
      return { count: (await tasks.countOfACMEUser.one(call, { acmeUserId })).count };
    },

    countEnabledACMETasksWithDNSProviderId: () => ({ count: 0n }),

    async countAllEnabledACMETasks(request, call) {
      return { count: await lists.count(call, filterOf(call, request, now())) };
    },

    async listEnabledACMETasks(request, call) {
      const rows = await lists.page(call, filterOf(call, request, now()), pageOf(request));
      return { acmeTasks: await taskMessages(call, deps, rows) };
    },

    async createACMETask(request, call) {
      const userId = ownerOf(call, request.userId);
      if (userId < 0n) throw invalid("userId", `must not be negative, got ${userId}`);
      const { authURL, ...claimed } = claimedFields(userId, authTypeField(request.authType), request);
      await acmeUsers.requireOf(call, "acmeUserId", request.acmeUserId, userId);
      await ownership.require(call, claimed);
      const count = async () => (await tasks.countOfUser.one(call, { userId })).count;
      await quotas?.require(call, ACME_TASKS, userId, 1, count);
      if (userId !== 0n) await users?.requireUser(call, "userId", userId);
      const { id } = await tasks.insert.one(call, {
        userId,
        acmeUserId: request.acmeUserId,
        dnsDomain: claimed.dnsDomain,
        domains: JSON.stringify(claimed.names),
        autoRenew: request.autoRenew,
        authType: claimed.authType,
        authURL,
        createdAt: now(),
        dueAt: request.autoRenew ? now() : 0n,
      });
      return { acmeTaskId: id };
    },

    async updateACMETask(request, call) {
      const row = await tasks.require(call, "acmeTaskId", request.acmeTaskId);
      const { authURL, dnsDomain, ...claimed } = claimedFields(row.userId, row.authType, request);
      const { acmeUserId, autoRenew } = request;
      await acmeUsers.requireOf(call, "acmeUserId", acmeUserId, row.userId);
      await ownership.require(call, { ...claimed, dnsDomain });
      const domains = JSON.stringify(claimed.names);
      const isOther = domains !== row.domains || dnsDomain !== row.dnsDomain || acmeUserId !== row.acmeUserId;
      if (isOther) await giveUp(call, deps, row);
      const dueAt = autoRenew ? await dueAtOf(call, row, isOther) : 0n;
      await tasks.update.run(call, { id: row.id, acmeUserId, dnsDomain, domains, autoRenew, authURL, dueAt });
      return {};
    },

    async deleteACMETask({ acmeTaskId }, call) {
      await removeTasks(call, deps, [await tasks.require(call, "acmeTaskId", acmeTaskId)]);
      return {};
    },

    async runACMETask({ acmeTaskId }, call) {
      const { id } = await tasks.require(call, "acmeTaskId", acmeTaskId);
      return await runs.run(call, id);
    },

    async findEnabledACMETask({ acmeTaskId }, call) {
      const row = await tasks.find(call, acmeTaskId);
      const [acmeTask] = await taskMessages(call, deps, row === undefined ? [] : [row]);
      return { acmeTask };
    },

    async findACMETaskUser({ acmeTaskId }, call) {
      const row = await tasks.find(call, acmeTaskId);
      if (row === undefined || row.userId === 0n) return {};
      const user = (await users?.nested(call, [row.userId]))?.get(row.userId);
      return user === undefined ? {} : { user };
    },

    async listACMETaskLogs(request, call) {
      const page = pageOf(request);
      const row = await tasks.find(call, request.acmeTaskId);
      if (row === undefined) return { acmeTaskLogs: [] };
      const logs = await orders.logsOf.all(call, { acmeTaskId: row.id, ...page });
      return { acmeTaskLogs: logs.map(logMessage) };
    },

    async revokeACMETaskCert({ acmeTaskId, reason }, call) {
      if (![0, 1, 3, 4, 5].includes(reason)) throw invalid("reason", `must be 0, 1, 3, 4 or 5, got ${reason}`);
      await runs.revoke(call, await tasks.require(call, "acmeTaskId", acmeTaskId), reason);
      return {};
    },
  };

  /** Returns when a changed task acts next. */
  async function dueAtOf(call: Call, row: TaskRow, isOther: boolean): Promise<bigint> {
    if (isOther || row.sslCertId === 0n) return now();
    if (await orders.open.first(call, { acmeTaskId: row.id }) !== undefined) return row.dueAt || now();
    const cert = (await deps.certificates.issued(call, [row.sslCertId])).get(row.sslCertId);
    return row.dueAt || (cert === undefined ? now() : renewalAt(BigInt(cert.timeBeginAt ?? 0n), cert.timeEndAt, now()));
  }
}

/** Deletes tasks, and what their orders published. */
export async function removeTasks(
  call: Call,
  deps: Pick<Deps, "tasks" | "orders" | "results">,
  rows: readonly TaskRow[],
): Promise<void> {
  for (const row of rows) await giveUp(call, deps, row);
  await deps.tasks.removeAll.run(call, { ids: rows.map(({ id }) => id) });
}

async function giveUp(call: Call, { orders, results }: Pick<Deps, "orders" | "results">, row: TaskRow): Promise<void> {
  const order = await orders.open.first(call, { acmeTaskId: row.id });
  if (order !== undefined) await results.endOrder(call, order);
}
