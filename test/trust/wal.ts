import { readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartupError } from "../../core/base/startup_error.ts";
import { readRecord, writeRecord } from "../../core/host/sqlite/database_record.ts";
import { Random } from "../harness/random.ts";
import type { Campaign, CampaignOptions, CampaignResult } from "./campaign.ts";
import { createTables, insertRow, NumberedDatabase, rowsOf } from "./numbered_database.ts";

const LOG_BYTES = 256 * 1024;
const STEP = 512;
const MOVED_ROWS = 200;
const PAGE = 4096;

/**
 * Cuts a write-ahead log of 256 KB at every 512 bytes, and opens what is left: with everything that was moved into the
 * file, or not at all. A second log belongs to a crash in the middle of a move; each round has another middle.
 */
export const wal: Campaign = {
  about: "cuts the write-ahead log at every 512 bytes, at rest and in the middle of a move",
  rounds: 4,
  run: (options) => cutEverywhere(options),
};

/** @param step the distance of two cuts in bytes */
export async function cutEverywhere(
  { seed, rounds, progress }: CampaignOptions,
  step = STEP,
): Promise<CampaignResult> {
  const random = new Random(seed);
  using rest = new NumberedDatabase();
  const written = await crashWithLog(rest, random);
  const figures = { cuts: 0, opened: 0, refused: 0, fewestRows: written, mostRows: 0, logBytes: logSize(rest) };
  const broken: string[] = [];
  const cut = async (source: NumberedDatabase, bytes: number, isMoving: boolean) => {
    figures.cuts++;
    const rows = await rowsAfterCut(source, bytes, broken);
    if (rows === undefined) figures.refused++;
    else {
      figures.opened++;
      figures.fewestRows = Math.min(figures.fewestRows, rows);
      figures.mostRows = Math.max(figures.mostRows, rows);
    }
    if (isMoving && rows !== undefined && rows !== written) {
      broken.push(`a log that was cut to ${bytes} bytes in the middle of a move was opened, with ${rows} rows`);
    }
    if (bytes === figures.logBytes && rows !== written) broken.push(`the whole log gave ${rows} of ${written} rows`);
  };
  for (let bytes = 0; bytes < figures.logBytes; bytes += step) await cut(rest, bytes, false);
  await cut(rest, figures.logBytes, false);
  for (let round = 0; round < rounds; round++) {
    progress(`${round} of ${rounds} moves, ${figures.cuts} cuts`);
    using moving = new NumberedDatabase();
    interruptMove(rest, moving, random);
    for (let bytes = 0; bytes < figures.logBytes; bytes += step) await cut(moving, bytes, true);
    await cut(moving, figures.logBytes, true);
  }
  return { figures, broken };
}

/** Creates a database whose log has rows that are not in the file. Returns the number of all rows. */
async function crashWithLog(database: NumberedDatabase, random: Random): Promise<number> {
  using source = new NumberedDatabase();
  const first = await source.open();
  await createTables(first);
  let id = 0;
  const insert = (engine: typeof first) => insertRow(engine, ++id, String(random.next()).repeat(1 + random.below(20)));
  while (id < MOVED_ROWS) await insert(first);
  await first.close();
  const engine = await source.open();
  while (logSize(source) < LOG_BYTES) await insert(engine);
  source.copyTo(database);
  await engine.close();
  // what the file has when all of the log is in it, for moves that end in the middle
  writeFileSync(join(database.directory, "moved"), readFileSync(source.path));
  return id;
}

/** Copies a crashed database as if it had crashed after a move had written some of the pages, in their order. */
function interruptMove(rest: NumberedDatabase, moving: NumberedDatabase, random: Random): void {
  rest.copyTo(moving);
  const [before, after] = [readFileSync(rest.path), readFileSync(join(rest.directory, "moved"))];
  const end = (1 + random.below(after.length / PAGE - 1)) * PAGE;
  const mixed = new Uint8Array(Math.max(before.length, end));
  mixed.set(before);
  mixed.set(after.subarray(0, end));
  writeFileSync(moving.path, mixed);
  writeRecord(moving.directory, { ...readRecord(rest.directory)!, movingBytes: logSize(rest) });
}

/** Opens a database with a cut log. Returns the number of its rows, or undefined if it is refused. */
async function rowsAfterCut(
  source: NumberedDatabase,
  bytes: number,
  broken: string[],
): Promise<number | undefined> {
  using database = new NumberedDatabase();
  source.copyTo(database);
  truncateSync(`${database.path}-wal`, bytes);
  let engine;
  try {
    engine = await database.open();
  } catch (error) {
    if (!(error instanceof StartupError)) broken.push(`a log of ${bytes} bytes ended in ${error}`);
    return undefined;
  }
  try {
    const [[count, last] = []] = await rowsOf(engine, "select count(*), max(id) from t");
    if (Number(count) < MOVED_ROWS) broken.push(`a log of ${bytes} bytes lost rows that were moved: ${count} are left`);
    if (count !== last) broken.push(`a log of ${bytes} bytes left ${count} rows up to number ${last}`);
    const [[state] = []] = await rowsOf(engine, "pragma integrity_check");
    if (state !== "ok") broken.push(`a log of ${bytes} bytes gave a damaged database: ${state}`);
    return Number(count);
  } finally {
    await engine.close();
  }
}

function logSize({ path }: NumberedDatabase): number {
  return statSync(`${path}-wal`).size;
}
