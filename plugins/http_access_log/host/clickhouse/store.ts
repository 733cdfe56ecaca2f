import { kernelErrors } from "edgehelm";
import type { OpenLogStore, StoreDeps } from "../../log_host.ts";
import type { LogEntry, LogStore } from "../../log_store.ts";
import { dayOf } from "../../request_id.ts";
import { ClickHouse, type ClickHouseAddress, TookTooLong } from "./client.ts";
import { isOneOf, literal, SHOWN } from "./conditions.ts";
import { Intake } from "./intake.ts";
import { entryOf, SHOWN_COLUMNS, type ShownRow } from "./rows.ts";
import { LOGS, migrate, REMOVED_USERS } from "./schema.ts";
import { search } from "./search.ts";

const SECONDS = 10;
const MAX_DAYS = 5000;

/** Keeps logs on a ClickHouse server, for installations that outgrow one machine. */
export function clickHouseLogs(address: ClickHouseAddress): (surroundings: StoreDeps) => OpenLogStore {
  return ({ clock, log, partitionRows }) => {
    const server = new ClickHouse(address);
    let migrated: Promise<void> | undefined;
    const ready = () =>
      migrated ??= migrate(server).catch((error) => {
        migrated = undefined;
        throw error;
      });
    ready().catch((error) => log.warn("the access logs in ClickHouse are not ready yet", { error: error.message }));
    const intake = new Intake(server, ready, clock, partitionRows);
    return {
      store: storeOf(server, ready, intake),
      async close() {
        await intake.settled();
        await server.close();
      },
    };
  };
}

function storeOf(server: ClickHouse, ready: () => Promise<void>, intake: Intake): LogStore {
  async function rows<Row extends readonly unknown[]>(query: string): Promise<Row[]> {
    await ready();
    try {
      return await server.rows<Row>(query, SECONDS);
    } catch (error) {
      throw error instanceof TookTooLong ? kernelErrors.deadline("the ClickHouse server") : error;
    }
  }

  /** The logs of some requests of one day, in the order of their ids. */
  async function entries(ids: readonly string[], withBodies: boolean, oldestFirst: boolean): Promise<LogEntry[]> {
    const [one, other] = [ids[0], ids.at(-1)];
    if (one === undefined || other === undefined) return [];
    const [least, most] = one < other ? [one, other] : [other, one];
    const columns = withBodies ? [...SHOWN_COLUMNS, "requestBody"] : SHOWN_COLUMNS;
    const found = await rows<ShownRow>(
      `select ${columns.join()} from ${LOGS} prewhere requestId >= ${literal(least)} and requestId <= ${literal(most)}
          and ${isOneOf(ids)}
        where day = ${dayOf(least)} order by requestId ${oldestFirst ? "asc" : "desc"}, rank desc limit 1 by requestId`,
    );
    return found.map(entryOf);
  }

  async function partsOf(day: bigint): Promise<bigint[]> {
    const found = await rows<[number]>(
      `select part from ${LOGS} where day = ${day} and ${SHOWN} group by part order by part`,
    );
    return found.map(([part]) => BigInt(part));
  }

  /** Days with how many rows and bytes the server has of them; what it did not merge yet counts twice. */
  async function days(day?: bigint) {
    const one = day === undefined ? "" : `and partition = '${day}'`;
    const found = await rows<[string, string, string]>(
      `select partition, sum(rows), sum(bytes) from system.parts
        where database = currentDatabase() and table = '${LOGS}' and active ${one}
        group by partition order by partition limit ${MAX_DAYS}`,
    );
    return found.map(([name, count, bytes]) => ({ day: BigInt(name), rows: BigInt(count), bytes: BigInt(bytes) }));
  }

  return {
    append: (_call, some) => intake.append(some),

    async find(_call, requestId) {
      const day = dayOf(requestId);
      const [row] = await rows<ShownRow>(
        `select ${SHOWN_COLUMNS.join()}, requestBody from ${LOGS} where day = ${day} and requestId = ${
          literal(requestId)
        } and ${SHOWN} order by rank desc limit 1`,
      );
      return row && entryOf(row);
    },

    async list(call, filter, page) {
      const [known] = await days(dayOf(filter.from));
      if (known === undefined) return { entries: [] };
      const { ids, stoppedAt } = await search(server, call, filter, page, Number(known.rows));
      return { entries: await entries(ids, page.withBodies, page.oldestFirst), stoppedAt };
    },

    partitions: (_call, day) => partsOf(day),
    days: () => days(),

    async dropDay(_call, day) {
      await ready();
      await server.command(`alter table ${LOGS} drop partition ${day}`);
      intake.forget(day);
      return true;
    },

    async removeOfUser(_call, userId) {
      await ready();
      if (userId === 0n) return 0;
      await server.insert(REMOVED_USERS, [{ userId: String(userId) }]);
      // goes on in the server after it answered; until it is through they are hidden
      await server.command(`alter table ${LOGS} delete where userId = ${userId}`);
      return 0;
    },
  };
}
