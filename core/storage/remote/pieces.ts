import type { InStatement, ResultSet } from "@libsql/client/web";
import type { SqlResult, SqlRow } from "../engine.ts";
import { beforeDeadline } from "./deadline.ts";
import { isResponseTooLarge } from "./faults.ts";
import type { RemoteStream, Streams } from "./streams.ts";
import { resultOf } from "./values.ts";

/** Rows of the first piece. */
const MAX_ROWS = 10_000;
/** How much smaller the next try is when a piece is still too large. */
const SMALLER = 4;

/**
 * Reads what the server would not answer at once, piece after piece, from one state of the database. Throws what the
 * client threw: also that the answer is too large, when one row is.
 *
 * @param sent a SELECT
 * @param until unix milliseconds, when nobody waits any more
 */
export async function readInPieces(streams: Streams, sent: InStatement, until: number): Promise<SqlResult> {
  const stream = streams.take();
  try {
    const result = await allPieces(stream, sent as Statement, until);
    streams.giveBack(stream);
    return result;
  } catch (error) {
    streams.drop(stream);
    throw error;
  }
}

type Statement = Exclude<InStatement, string>;

async function allPieces(stream: RemoteStream, { sql, args = [] }: Statement, until: number): Promise<SqlResult> {
  const run = async (statement: InStatement): Promise<ResultSet> => {
    const request = new AbortController();
    const running = stream.run([statement], request.signal);
    return (await beforeDeadline(running, until, "the database", () => request.abort()))[0]!;
  };
  await run("begin transaction readonly");
  const rows: SqlRow[] = [];
  for (let size = MAX_ROWS;;) {
    try {
      // the order of what is selected from is kept: the outer SELECT asks for none
      const piece = resultOf(await run({ sql: `select * from (${sql}\n) limit ${size} offset ${rows.length}`, args }));
      for (const row of piece.rows) rows.push(row);
      if (piece.rows.length === size) continue;
      await run("commit");
      return { columns: piece.columns, rows, changes: 0n };
    } catch (error) {
      if (!isResponseTooLarge(error) || size === 1) throw error;
      size = Math.max(1, Math.floor(size / SMALLER));
    }
  }
}
