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
  type Page,
  pageOf,
  unixSeconds,
} from "edgehelm";
import { daysField } from "edgehelm/fields";
import { idRanges, inBatches } from "edgehelm/storage";
import type { Admins } from "../admin/contract.ts";
import type { Users } from "../user/contract.ts";
import { errors } from "./errors.ts";
import { descriptionOf } from "./rules.ts";
import type { CountLogRequest, ListLogsRequest, LogService } from "./proto/service_log_pb.ts";
import { COARSE, type Filter, FINE, type LogRow, type LogStore } from "./store.ts";
import type { LogSearch } from "./store_search.ts";

export interface Deps {
  readonly logs: LogStore;
  readonly search: LogSearch;
  readonly admins: Admins | undefined;
  readonly users: Users | undefined;
  readonly clock: Clock;
}

const LEVELS = ["info", "warn", "error"] as const;
const BATCH_SIZE = 1000;
/** With more id ranges than this, a page is read outside the event loop. */
const MAX_INLINE_RANGES = 32;
const DAY = 86_400n;

export function logHandlers({ logs, search, admins, users, clock }: Deps): Handlers<typeof LogService> {
  async function logMessages(call: Call, rows: readonly LogRow[]) {
    const ids = (column: "adminId" | "userId") => distinct(rows.map((row) => row[column])).filter((id) => id > 0n);
    const adminNames = await admins?.names(call, ids("adminId"));
    const userNames = await users?.summaries(call, ids("userId"));
    return rows.map((row) => {
      const name = row.userId > 0n ? userNames?.get(row.userId) : adminNames?.get(row.adminId);
      const type = row.userId > 0n ? "user" : "admin";
      return { ...row, type, userName: name?.fullname || name?.username || "" };
    });
  }

  async function list(call: Call, filter: Filter, page: Page): Promise<LogRow[]> {
    if (filter.keyword !== "") return await search.page(call, filter, page);
    const { ranges, offset } = await idRanges(
      page,
      { coarse: COARSE, fine: FINE },
      (idBits, first, last) => logs.buckets.all(call, { ...filter, idBits, first, last }),
    );
    const run = ranges.length > MAX_INLINE_RANGES ? "scan" : "all";
    const rangesJSON = `[${ranges.map(([from, to]) => `[${from},${to}]`).join()}]`;
    return await logs.pageWithin[run](call, { ...filter, ranges: rangesJSON, offset, size: page.size });
  }

  /** Deletes all logs that `find` returns, in batches. */
  async function removeAll(call: Call, find: (call: Call, limit: number) => Promise<readonly { id: bigint }[]>) {
    await inBatches(call, BATCH_SIZE, async (inner, limit) => {
      return await logs.remove(inner, (await find(inner, limit)).map(({ id }) => id));
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
      const filter = filterOf(request);
      if (filter.keyword === "") return await logs.count.one(call, filter);
      return { count: await search.count(call, filter) };
    },

    async listLogs(request, call) {
      const rows = await list(call, filterOf(request), pageOf(request));
      return { logs: await logMessages(call, rows) };
    },

    async deleteLogPermanently({ logId }, call) {
      const id = idField("logId", logId);
      if (await logs.remove(call, [id]) === 0n) throw errors.not_found(id);
      return {};
    },

    async deleteLogsPermanently({ logIds }, call) {
      await logs.remove(call, listField("logIds", logIds, idField));
      return {};
    },

    async cleanLogsPermanently({ days, clearAll }, call) {
      if (clearAll) {
        // Logs that are written from now on stay.
        const { id: through = 0n } = await logs.newestId.first(call, {}) ?? {};
        await removeAll(call, (inner, limit) => logs.someThrough.all(inner, { through, limit }));
      } else {
        const keptDays = BigInt(numberField("days", days, { min: 1, max: 36_500 }));
        const before = unixSeconds(clock) - keptDays * DAY;
        await removeAll(call, (inner, limit) => logs.someBefore.all(inner, { before, limit }));
      }
      return {};
    },

    async sumLogsSize(_request, call) {
      return { sizeBytes: (await logs.totals.one(call, {})).bytes };
    },
  };
}

function filterOf(request: CountLogRequest | ListLogsRequest): Filter {
  const { level, userType } = request;
  return {
    ...daysField(request),
    level: level === "" ? "" : choiceField("level", level, LEVELS),
    userType: userType === "" ? "" : choiceField("userType", userType, ["admin", "user"]),
    keyword: request.keyword.trim(),
  };
}
