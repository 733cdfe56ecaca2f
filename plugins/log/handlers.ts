import {
  type Call,
  callerId,
  type Clock,
  containing,
  daysField,
  distinct,
  type Handlers,
  idField,
  listField,
  numberField,
  ownerOf,
  pageOf,
  unixSeconds,
  wordField,
} from "edgehelm";
import type { Admins } from "../admin/contract.ts";
import type { Users } from "../user/contract.ts";
import { errors } from "./errors.ts";
import { descriptionOf } from "./rules.ts";
import type { CountLogRequest, ListLogsRequest, LogService } from "./service_log_pb.ts";
import type { Filter, LogRow, LogStore } from "./store.ts";

export interface Parts {
  readonly logs: LogStore;
  readonly admins: Admins | undefined;
  readonly users: Users | undefined;
  readonly clock: Clock;
}

const LEVELS = ["info", "warn", "error"] as const;
const REMOVED_AT_ONCE = 1000;
/** Skipping more than this is left to a reader beside the event loop. */
const DEEP_OFFSET = 1000n;
const DAY = 86_400n;

export function logHandlers({ logs, admins, users, clock }: Parts): Handlers<typeof LogService> {
  async function logMessages(call: Call, rows: readonly LogRow[]) {
    const ids = (of: "adminId" | "userId") => distinct(rows.map((row) => row[of])).filter((id) => id > 0n);
    const adminNames = await admins?.names(call, ids("adminId"));
    const userNames = await users?.summaries(call, ids("userId"));
    return rows.map((row) => {
      const name = row.userId > 0n ? userNames?.get(row.userId) : adminNames?.get(row.adminId);
      const type = row.userId > 0n ? "user" : "admin";
      return { ...row, type, userName: name?.fullname || name?.username || "" };
    });
  }

  /** Removes in chunks, so that others write in between. */
  async function removeAll(call: Call, remove: (call: Call) => Promise<bigint>): Promise<void> {
    while (await call.transact(remove) >= BigInt(REMOVED_AT_ONCE));
  }

  return {
    async createLog(request, call) {
      const userId = ownerOf(call, 0n);
      await logs.insert.run(call, {
        level: wordField("level", request.level, LEVELS),
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
      const filter = filterOf(request);
      if (filter === undefined) return { count: (await logs.totals.one(call, {})).count };
      return { count: (await logs.countMatching.scan(call, filter))[0]!.count };
    },

    async listLogs(request, call) {
      const page = pageOf(request);
      const filter = filterOf(request);
      const isDeep = page.offset > DEEP_OFFSET;
      const rows = filter === undefined
        ? await (isDeep ? logs.page.scan(call, page) : logs.page.all(call, page))
        : await logs.pageMatching.scan(call, { ...filter, ...page });
      return { logs: await logMessages(call, rows) };
    },

    async deleteLogPermanently({ logId }, call) {
      const id = idField("logId", logId);
      if (await logs.remove.run(call, { ids: [id] }) === 0n) throw errors.not_found(id);
      return {};
    },

    async deleteLogsPermanently({ logIds }, call) {
      await logs.remove.run(call, { ids: listField("logIds", logIds, idField) });
      return {};
    },

    async cleanLogsPermanently({ days, clearAll }, call) {
      if (clearAll) {
        // what is written from now on stays
        const { id: through = 0n } = await logs.newestId.first(call, {}) ?? {};
        await removeAll(call, (inner) => logs.removeSomeThrough.run(inner, { through, limit: REMOVED_AT_ONCE }));
      } else {
        const kept = BigInt(numberField("days", days, { min: 1, max: 36_500 }));
        const before = unixSeconds(clock) - kept * DAY;
        await removeAll(call, (inner) => logs.removeSomeBefore.run(inner, { before, limit: REMOVED_AT_ONCE }));
      }
      return {};
    },

    async sumLogsSize(_request, call) {
      return { sizeBytes: (await logs.totals.one(call, {})).bytes };
    },
  };
}

/** Undefined when a request asks for all logs. */
function filterOf(request: CountLogRequest | ListLogsRequest): Filter | undefined {
  const { dayFrom, dayTo, level, userType } = request;
  const keyword = request.keyword.trim();
  const filter = {
    ...daysField(request),
    level: level === "" ? "" : wordField("level", level, LEVELS),
    userType: userType === "" ? "" : wordField("userType", userType, ["admin", "user"]),
    pattern: keyword === "" ? "" : containing(keyword),
  };
  const isAll = [dayFrom, dayTo, level, userType, keyword].every((text) => text.trim() === "");
  return isAll ? undefined : filter;
}
