import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Connection } from "../../../core/host/sqlite/connection.ts";
import { DatabaseIdentity } from "../../../core/host/sqlite/database_identity.ts";
import { readRecord } from "../../../core/host/sqlite/database_record.ts";
import { type LocalEngine, type LocalEngineOptions, openLocalEngine } from "../../../core/host/sqlite/engine.ts";
import { statement, temporaryDatabase } from "./fixture.ts";
import { idsIn, insert, SCHEMA } from "./writer_rig.ts";

const ID = "9f3a8c52-6f0e-4a53-9c6c-2f5d3d1f8f10";
const SETTINGS = "create table kernel_settings(name text primary key, value text not null)";
const IDENTIFY = statement("insert into kernel_settings values ('installationId', ?)");
const LOG_BYTES = 32_768;
/** Only size moves the log. */
const NEVER = { interval: Infinity, bytes: Infinity };

interface Opened {
  readonly engine: LocalEngine;
  readonly path: string;
  readonly directory: string;
}

async function open(path: string, options: Partial<LocalEngineOptions> = {}): Promise<LocalEngine> {
  const identity = new DatabaseIdentity({ dataDirectory: dirname(path), path });
  const engine = await openLocalEngine({ path, identity, checkpoints: NEVER, ...options });
  onTestFinished(() => engine.close());
  return engine;
}

/** Opens a new database with an installation, which its first commit moves into the file. */
async function openNew(options: Partial<LocalEngineOptions> = {}): Promise<Opened> {
  const path = temporaryDatabase();
  const engine = await open(path, options);
  await engine.migrate(async (session) => {
    for (const sql of [...SCHEMA, SETTINGS]) await session.run(statement(sql), []);
  });
  await engine.write(async (session) => session.run(IDENTIFY, [ID]));
  return { engine, path, directory: dirname(path) };
}

/** Copies the files of an open database as a crash would leave them, without its log if that is asked for. */
function crashed({ path, directory }: Opened, log: "with log" | "without log"): string {
  const copy = temporaryDatabase();
  copyFileSync(path, copy);
  if (log === "with log") copyFileSync(`${path}-wal`, `${copy}-wal`);
  const record = readFileSync(join(directory, "database.json"), "utf8");
  writeFileSync(join(dirname(copy), "database.json"), record);
  return copy;
}

test("the commit that creates an installation moves it into the file and records it", async () => {
  const opened = await openNew();
  const record = readRecord(opened.directory);
  expect(record).toMatchObject({ file: "x.db", installation: ID, movingBytes: undefined });
  expect(statSync(`${opened.path}-wal`).size).toBe(0);
  const engine = await open(crashed(opened, "without log"));
  expect(await idsIn(engine)).toEqual([]);
});

test("a log that reaches its size is moved by the commit, and its file is written over", async () => {
  const opened = await openNew({ checkpoints: { ...NEVER, bytes: LOG_BYTES } });
  const before = readRecord(opened.directory)!.checkpoint;
  const sizes: number[] = [];
  for (let id = 1; id <= 100; id++) {
    await insert(opened.engine, id, "x".repeat(4000));
    sizes.push(statSync(`${opened.path}-wal`).size);
  }
  const moves = readRecord(opened.directory)!.checkpoint - before;
  expect(moves).toBeGreaterThan(10);
  expect(moves).toBeLessThan(50);
  expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
  expect(sizes.at(-1)).toBeLessThan(2 * LOG_BYTES);
  expect(await idsIn(await open(crashed(opened, "with log")))).toHaveLength(100);
});

test("a log is moved after its time without a further commit", async () => {
  const opened = await openNew({ checkpoints: { ...NEVER, interval: 1 } });
  await insert(opened.engine, 1);
  await expect.poll(() => statSync(`${opened.path}-wal`).size).toBe(0);
  expect(await idsIn(await open(crashed(opened, "without log")))).toEqual([1]);
});

test("a reader delays the end of a move but no write, and the log is moved when it ends", async () => {
  const opened = await openNew({ checkpoints: { ...NEVER, interval: 1 } });
  const reader = new Connection(opened.path, ["query_only = 1"]);
  reader.exec("begin");
  reader.query("select count(*) from t");
  for (let id = 1; id <= 3; id++) await insert(opened.engine, id);
  await expect.poll(() => readRecord(opened.directory)!.movingBytes).toBeGreaterThan(0);
  await insert(opened.engine, 4);
  expect(reader.query("select count(*) from t")).toEqual([[0]]);
  reader.close();
  await expect.poll(() => statSync(`${opened.path}-wal`).size).toBe(0);
  expect(readRecord(opened.directory)!.movingBytes).toBeUndefined();
  expect(await idsIn(opened.engine)).toEqual([1, 2, 3, 4]);
});

test("a log that was cut while it was moved stops the start", async () => {
  const opened = await openNew({ checkpoints: { ...NEVER, interval: 1 } });
  const reader = new Connection(opened.path, ["query_only = 1"]);
  reader.exec("begin");
  reader.query("select count(*) from t");
  for (let id = 1; id <= 3; id++) await insert(opened.engine, id);
  await expect.poll(() => readRecord(opened.directory)!.movingBytes).toBeGreaterThan(0);
  const whole = crashed(opened, "with log");
  const cut = crashed(opened, "with log");
  reader.close();
  expect(await idsIn(await open(whole))).toEqual([1, 2, 3]);
  truncateSync(`${cut}-wal`, readRecord(dirname(cut))!.movingBytes! - 1);
  await expect(open(cut)).rejects.toThrow(/the write-ahead log ".*" was cut while it was moved into the database/);
});

test("a record that is damaged stops the start and says what to do", async () => {
  const { engine, path, directory } = await openNew();
  await engine.close();
  for (const text of ["", "[]", '{"file":"x.db","checkpoint":-1}', '{"file":1,"checkpoint":1}']) {
    writeFileSync(join(directory, "database.json"), text);
    await expect(open(path)).rejects.toThrow(/database\.json" is damaged: .*remove this file/);
  }
  rmSync(join(directory, "database.json"));
  await (await open(path)).close();
  expect(readRecord(directory)).toMatchObject({ installation: ID });
});

test("a record that cannot be written delays the move, is reported once, and loses nothing", async () => {
  const reports: string[] = [];
  const report = (text: string) => void reports.push(text);
  const opened = await openNew({ checkpoints: { ...NEVER, interval: 1 }, report });
  const draft = join(opened.directory, "database.json.new");
  mkdirSync(draft);
  await insert(opened.engine, 1);
  await expect.poll(() => reports.length).toBe(1);
  expect(reports[0]).toMatch(/the write-ahead log was not moved into the database: /);
  await insert(opened.engine, 2);
  expect(existsSync(draft)).toBe(true);
  rmSync(draft, { recursive: true });
  await expect.poll(() => statSync(`${opened.path}-wal`).size).toBe(0);
  expect(reports.length).toBe(1);
  expect(await idsIn(opened.engine)).toEqual([1, 2]);
});
