import {
  type Call,
  callerId,
  choiceField,
  type Clock,
  distinct,
  type Handlers,
  idField,
  listField,
  numberField,
  ownerOf,
  pageOf,
  RpcError,
  unixSeconds,
} from "edgehelm";
import { daysField } from "edgehelm/fields";
import type { AuditLog, AuditRecord } from "edgehelm/runtime";
import { inBatches } from "edgehelm/storage";
import type { Admins } from "../admin/contract.ts";
import type { Users } from "../user/contract.ts";
import { BothLogs, type Item, LEVELS, logOf, separated } from "./audit.ts";
import { errors } from "./errors.ts";
import { descriptionOf } from "./rules.ts";
import type { CountLogRequest, ListLogsRequest, LogService } from "./proto/service_log_pb.ts";
import type { LogList, LogStore } from "./store.ts";

export interface Deps {
  readonly logs: LogStore;
  readonly list: LogList;
  readonly auditLog: AuditLog;
  readonly admins: Admins | undefined;
  readonly users: Users | undefined;
  readonly clock: Clock;
}

const BATCH_SIZE = 1000;
const DAY = 86_400n;
const EVER = 2n ** 53n;

export function logHandlers({ logs, list, auditLog, admins, users, clock }: Deps): Handlers<typeof LogService> {
  const both = new BothLogs(list, auditLog);

  async function logMessages(call: Call, items: readonly Item[]) {
    const rows = items.map((item) =>
      "record" in item ? logOf(item.record) : { ...item.log, type: item.log.userType, source: "log" }
    );
    const ids = (column: "adminId" | "userId") => distinct(rows.map((row) => row[column])).filter((id) => id > 0n);
    const adminNames = await admins?.names(call, ids("adminId"));
    const userNames = await users?.summaries(call, ids("userId"));
    return rows.map((row) => {
      const name = row.userId > 0n ? userNames?.get(row.userId) : adminNames?.get(row.adminId);
      return { ...row, userName: name?.fullname || name?.username || "" };
    });
  }

  /** Deletes the content of those audit records that are old enough. */
  /** Deletes the content of records. Its errors get a reason of this plugin, whose operations list theirs. */
  async function erase(call: Call, ids: readonly bigint[]): Promise<void> {
    try {
      await auditLog.erase(call, ids);
    } catch (error) {
      if (error instanceof RpcError && error.kind === "conflict") throw errors.audit_kept(error.message);
      throw error;
    }
  }

  async function eraseBefore(call: Call, before: bigint): Promise<void> {
    for (let batch = { through: 0n, hasMore: true }; batch.hasMore;) {
      batch = await call.transact((inner) => auditLog.eraseBefore(inner, before, batch.through));
    }
  }

  return {
    async createLog(request, call) {
      const userId = ownerOf(call, 0n);
      await logs.insert.run(call, {
        level: choiceField("level", request.level, LEVELS),
        action: request.action.trim().slice(0, 255),
        description: descriptionOf(request),
        ip: request.ip.trim().slice(0, 64),
        adminId: userId > 0n ? 0n : callerId(call.caller),
        userId,
        createdAt: unixSeconds(clock),
      });
      return {};
    },

    async countLogs(request, call) {
      return { count: await both.count(call, filterOf(request)) };
    },

    async listLogs(request, call) {
      const items = await both.page(call, filterOf(request), pageOf(request));
      return { logs: await logMessages(call, items) };
    },

    async findLog({ logId }, call) {
      const id = idField("logId", logId);
      const { records: [recordId] } = separated([id]);
      if (recordId === undefined) {
        const row = await logs.byId.require(call, { id }, () => errors.not_found(id));
        return { log: (await logMessages(call, [{ log: row }]))[0]! };
      }
      const [record] = await auditLog.find(call, [recordId]);
      if (record === undefined) throw errors.not_found(id);
      return { log: (await logMessages(call, [{ record }]))[0]!, ...detailsOf(record) };
    },

    async deleteLogPermanently({ logId }, call) {
      const id = idField("logId", logId);
      const { records } = separated([id]);
      if (records.length > 0) {
        if ((await auditLog.find(call, records)).length === 0) throw errors.not_found(id);
        await erase(call, records);
      } else if (await logs.remove.run(call, { ids: [id] }) === 0n) throw errors.not_found(id);
      return {};
    },

    async deleteLogsPermanently({ logIds }, call) {
      const ids = separated(listField("logIds", logIds, idField));
      if (ids.logs.length > 0) await logs.remove.run(call, { ids: ids.logs });
      if (ids.records.length === 0) return {};
      const found = await auditLog.find(call, distinct(ids.records));
      if (found.length > 0) await erase(call, found.map(({ id }) => id));
      return {};
    },

    async cleanLogsPermanently({ days, clearAll }, call) {
      if (clearAll) {
        // Logs that are written from now on stay.
        const { id: through = 0n } = await logs.newestId.first(call, {}) ?? {};
        await inBatches(call, BATCH_SIZE, (inner, limit) => logs.removeSomeThrough.run(inner, { through, limit }));
        await eraseBefore(call, EVER);
      } else {
        const keptDays = BigInt(numberField("days", days, { min: 1, max: 36_500 }));
        const before = unixSeconds(clock) - keptDays * DAY;
        await inBatches(call, BATCH_SIZE, (inner, limit) => logs.removeSomeBefore.run(inner, { before, limit }));
        await eraseBefore(call, before);
      }
      return {};
    },

    async sumLogsSize(_request, call) {
      return { sizeBytes: (await logs.totals.one(call, {})).bytes };
    },
  };
}

function filterOf(request: CountLogRequest | ListLogsRequest) {
  const { level, userType, source } = request;
  return {
    ...daysField(request),
    level: level === "" ? "" as const : choiceField("level", level, LEVELS),
    userType: userType === "" ? "" : choiceField("userType", userType, ["admin", "user"]),
    keyword: request.keyword.trim(),
    source: source === "" ? "" : choiceField("source", source, ["log", "audit"]),
  };
}

function detailsOf(record: AuditRecord) {
  const { changesJSON, objects, keyId, requestId, callerRequestId, code, reason, count, erasedAt, hash } = record;
  // The record of deleted contents has an object instead of a list.
  const changes = changesJSON.startsWith("{") ? `[${changesJSON}]` : changesJSON;
  return {
    ...{ keyId, requestId, callerRequestId, reason, hash },
    changesJSON: new TextEncoder().encode(changes),
    objects: objects === "" ? [] : objects.split(" "),
    code: Number(code),
    countCalls: count,
    isErased: erasedAt > 0n,
  };
}
