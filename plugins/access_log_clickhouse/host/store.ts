import { kernelErrors } from "edgehelm";
import {
  dayOf,
  type LogEntry,
  type LogStore,
  type LogStoreDeps,
  type OpenLogStore,
} from "../../http_access_log/contract.ts";
import { ClickHouse, type ClickHouseAddress, StatementTimeout } from "./client.ts";
import { isOneOf, literal, VISIBLE } from "./conditions.ts";
import { InsertQueue } from "./insert_queue.ts";
import { entryOf, SHOWN_COLUMNS, type ShownRow } from "./rows.ts";
import { LOGS, migrate, REMOVED_USERS } from "./schema.ts";
import { search } from "./search.ts";

const SECONDS = 10;
const MAX_DAYS = 5000;

/** Opens a store on a ClickHouse server, for installations that outgrow one machine. */
export function openClickHouse(address: ClickHouseAddress, { clock, log, partitionRows }: LogStoreDeps): OpenLogStore {
  const server = new ClickHouse(address);
  let migrated: Promise<void> | undefined;
  const ready = () =>
    migrated ??= migrate(server).catch((error) => {
      migrated = undefined;
      throw error;
    });
  ready().catch((error) => log.warn("ClickHouse access log migration failed, will retry", { error: error.message }));
  const inserts = new InsertQueue(server, ready, clock, partitionRows);
  return {
    store: storeOf(server, ready, inserts),
    async close() {
      await inserts.settled();
      await server.close();
    },
  };
}

function storeOf(server: ClickHouse, ready: () => Promise<void>, inserts: InsertQueue): LogStore {
  async function rows<Row extends readonly unknown[]>(query: string): Promise<Row[]> {
    await ready();
    try {
      return await server.rows<Row>(query, SECONDS);
    } catch (error) {
      throw error instanceof StatementTimeout ? kernelErrors.deadline("the ClickHouse server") : error;
    }
  }

  /** Returns the logs of request ids of one day, in the order of the ids. */
  async function entries(ids: readonly string[], withBodies: boolean, oldestFirst: boolean): Promise<LogEntry[]> {
    const [start, end] = [ids[0], ids.at(-1)];
    if (start === undefined || end === undefined) return [];
    const [first, last] = start < end ? [start, end] : [end, start];
    const columns = withBodies ? [...SHOWN_COLUMNS, "requestBody"] : SHOWN_COLUMNS;
    const found = await rows<ShownRow>(
      `select ${columns.join()} from ${LOGS} prewhere requestId >= ${literal(first)} and requestId <= ${literal(last)}
          and ${isOneOf(ids)}
        where day = ${dayOf(first)} order by requestId ${oldestFirst ? "asc" : "desc"}, rank desc limit 1 by requestId`,
    );
    return found.map(entryOf);
  }

  async function partsOf(day: bigint): Promise<bigint[]> {
    const found = await rows<[number]>(
      `select part from ${LOGS} where day = ${day} and ${VISIBLE} group by part order by part`,
    );
    return found.map(([part]) => BigInt(part));
  }

  /** Returns the rows and bytes of days; rows that the server has not merged yet count twice. */
  async function days(day?: bigint) {
    const condition = day === undefined ? "" : `and partition = '${day}'`;
    const found = await rows<[string, string, string]>(
      `select partition, sum(rows), sum(bytes) from system.parts
        where database = currentDatabase() and table = '${LOGS}' and active ${condition}
        group by partition order by partition limit ${MAX_DAYS}`,
    );
    return found.map(([name, count, bytes]) => ({ day: BigInt(name), rows: BigInt(count), bytes: BigInt(bytes) }));
  }

  return {
    append: (_call, entriesToAppend) => inserts.append(entriesToAppend),

    async find(_call, requestId) {
      const day = dayOf(requestId);
      const [row] = await rows<ShownRow>(
        `select ${SHOWN_COLUMNS.join()}, requestBody from ${LOGS} where day = ${day} and requestId = ${
          literal(requestId)
        } and ${VISIBLE} order by rank desc limit 1`,
      );
      return row && entryOf(row);
    },

    async list(call, filter, page) {
      const [counts] = await days(dayOf(filter.from));
      if (counts === undefined) return { entries: [] };
      const { ids, stoppedAt } = await search(server, call, filter, page, Number(counts.rows));
      return { entries: await entries(ids, page.withBodies, page.oldestFirst), stoppedAt };
    },

    partitions: (_call, day) => partsOf(day),
    days: () => days(),

    async dropDay(_call, day) {
      await ready();
      await server.command(`alter table ${LOGS} drop partition ${day}`);
      inserts.forget(day);
      return true;
    },

    async removeOfUser(_call, userId) {
      await ready();
      if (userId === 0n) return 0;
      await server.insert(REMOVED_USERS, [{ userId: String(userId) }]);
      // the server deletes asynchronously; the insert above hides the logs until it is done
      await server.command(`alter table ${LOGS} delete where userId = ${userId}`);
      return 0;
    },
  };
}
