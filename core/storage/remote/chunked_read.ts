import type { InStatement, ResultSet } from "@libsql/client/web";
import type { SqlResult, SqlRow } from "../engine.ts";
import { withDeadline } from "./deadline.ts";
import { isResponseTooLarge } from "./errors.ts";
import type { RemoteStream, Streams } from "./streams.ts";
import { resultOf } from "./values.ts";

/** The number of rows of the first chunk. */
const MAX_ROWS = 10_000;
/** The factor by which a chunk shrinks if it is still too large. */
const SHRINK_FACTOR = 4;

/**
 * Reads a result that is too large for one response, in chunks, from one state of the database. Throws the errors of
 * the client, including that a single row is too large.
 *
 * @param select a SELECT statement
 * @param until the deadline in unix milliseconds
 */
export async function readInChunks(streams: Streams, select: InStatement, until: number): Promise<SqlResult> {
  const stream = streams.take();
  try {
    const result = await readAll(stream, select as Statement, until);
    streams.release(stream);
    return result;
  } catch (error) {
    streams.discard(stream);
    throw error;
  }
}

type Statement = Exclude<InStatement, string>;

async function readAll(stream: RemoteStream, { sql, args = [] }: Statement, until: number): Promise<SqlResult> {
  const run = async (statement: InStatement): Promise<ResultSet> => {
    const request = new AbortController();
    const running = stream.run([statement], request.signal);
    return (await withDeadline(running, until, "the database", () => request.abort()))[0]!;
  };
  await run("begin transaction readonly");
  const rows: SqlRow[] = [];
  for (let size = MAX_ROWS;;) {
    try {
      // the outer SELECT has no ORDER BY, so it keeps the order of the inner one
      const chunk = resultOf(await run({ sql: `select * from (${sql}\n) limit ${size} offset ${rows.length}`, args }));
      for (const row of chunk.rows) rows.push(row);
      if (chunk.rows.length === size) continue;
      await run("commit");
      return { columns: chunk.columns, rows, changes: 0n };
    } catch (error) {
      if (!isResponseTooLarge(error) || size === 1) throw error;
      size = Math.max(1, Math.floor(size / SHRINK_FACTOR));
    }
  }
}
