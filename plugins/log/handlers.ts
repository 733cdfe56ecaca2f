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
  unixSeconds,
} from "edgehelm";
import { daysField } from "edgehelm/fields";
import { inBatches } from "edgehelm/storage";
import type { Admins } from "../admin/contract.ts";
import type { Users } from "../user/contract.ts";
import { errors } from "./errors.ts";
import { descriptionOf } from "./rules.ts";
import type { CountLogRequest, ListLogsRequest, LogService } from "./proto/service_log_pb.ts";
import type { LogList, LogRow, LogStore } from "./store.ts";

export interface Deps {
  readonly logs: LogStore;
  readonly list: LogList;
  readonly admins: Admins | undefined;
  readonly users: Users | undefined;
  readonly clock: Clock;
}

const LEVELS = ["info", "warn", "error"] as const;
const BATCH_SIZE = 1000;
const DAY = 86_400n;

export function logHandlers({ logs, list, admins, users, clock }: Deps): Handlers<typeof LogService> {
  async function logMessages(call: Call, rows: readonly LogRow[]) {
    const ids = (column: "adminId" | "userId") => distinct(rows.map((row) => row[column])).filter((id) => id > 0n);
    const adminNames = await admins?.names(call, ids("adminId"));
    const userNames = await users?.summaries(call, ids("userId"));
    return rows.map((row) => {
      const name = row.userId > 0n ? userNames?.get(row.userId) : adminNames?.get(row.adminId);
      return { ...row, type: row.userType, userName: name?.fullname || name?.username || "" };
    });
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
      return { count: await list.count(call, filterOf(request)) };
    },

    async listLogs(request, call) {
      const rows = await list.page(call, filterOf(request), pageOf(request));
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
        // Logs that are written from now on stay.
        const { id: through = 0n } = await logs.newestId.first(call, {}) ?? {};
        await inBatches(call, BATCH_SIZE, (inner, limit) => logs.removeSomeThrough.run(inner, { through, limit }));
      } else {
        const keptDays = BigInt(numberField("days", days, { min: 1, max: 36_500 }));
        const before = unixSeconds(clock) - keptDays * DAY;
        await inBatches(call, BATCH_SIZE, (inner, limit) => logs.removeSomeBefore.run(inner, { before, limit }));
      }
      return {};
    },

    async sumLogsSize(_request, call) {
      return { sizeBytes: (await logs.totals.one(call, {})).bytes };
    },
  };
}

function filterOf(request: CountLogRequest | ListLogsRequest) {
  const { level, userType } = request;
  return {
    ...daysField(request),
    level: level === "" ? "" : choiceField("level", level, LEVELS),
    userType: userType === "" ? "" : choiceField("userType", userType, ["admin", "user"]),
    keyword: request.keyword.trim(),
  };
}
