import { createHash } from "node:crypto";
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { describe, expect, test } from "vitest";
import { openLocalEngine } from "../../../core/host/sqlite/engine.ts";
import { StartupError } from "../../../core/base/startup_error.ts";
import { rowsOf, statement, temporaryDatabase } from "./fixture.ts";

const PAGE = 4096;
/** The write-ahead log is moved when the database is closed, and not before. */
const NEVER = { interval: Infinity, bytes: Infinity };

/** Creates a database of about a hundred pages and closes it cleanly. */
async function intactDatabase(): Promise<string> {
  const path = temporaryDatabase();
  const engine = await openLocalEngine({ path });
  await engine.migrate(async (session) => {
    await session.run(statement("create table t(id integer primary key, n text)"), []);
    await session.run(statement("create index t_n on t(n)"), []);
    const fill = "with recursive c(v) as (values (1) union all select v + 1 from c where v < 500)";
    await session.run(statement(`insert into t(n) ${fill} select hex(randomblob(400)) from c`), []);
  });
  await engine.close();
  return path;
}

function overwrite(path: string, offset: number, bytes: Uint8Array): void {
  const file = openSync(path, "r+");
  writeSync(file, bytes, 0, bytes.length, offset);
  closeSync(file);
}

function digest(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

async function expectDamage(path: string, cause: string | RegExp, quickCheckBytes?: number): Promise<void> {
  const before = existsSync(path) ? digest(path) : undefined;
  const options = quickCheckBytes === undefined ? { path } : { path, quickCheckBytes };
  const error = await openLocalEngine(options).then(() => undefined, (error: unknown) => error);
  expect(error).toBeInstanceOf(StartupError);
  expect(String(error)).toMatch(/the database ".*x\.db" is damaged: /);
  expect(String(error)).toMatch(cause);
  expect(String(error)).toContain("restore <file> --force");
  expect(existsSync(path) ? digest(path) : undefined).toBe(before);
  await expect(openLocalEngine(options)).rejects.toThrow("is damaged");
}

describe("the startup check refuses a database, without changing it,", () => {
  test("with a destroyed header", async () => {
    const path = await intactDatabase();
    overwrite(path, 0, new Uint8Array(100));
    await expectDamage(path, "it does not start with the SQLite header");
  });

  test("with an impossible page size", async () => {
    const path = await intactDatabase();
    overwrite(path, 16, new Uint8Array([3, 0]));
    await expectDamage(path, "its header has the invalid page size 768");
  });

  test("that is truncated", async () => {
    const path = await intactDatabase();
    const { size } = statSync(path);
    truncateSync(path, size - 10 * PAGE);
    await expectDamage(path, `it has ${size - 10 * PAGE} bytes instead of ${size}`);
  });

  test("that is shorter than a header", async () => {
    const path = await intactDatabase();
    truncateSync(path, 50);
    await expectDamage(path, /malformed|bytes instead of/);
  });

  test("with a corrupt page", async () => {
    const path = await intactDatabase();
    overwrite(path, 20 * PAGE, new Uint8Array(PAGE).fill(0xa5));
    await expectDamage(path, /malformed|page 21|Tree/);
  });

  test("with a corrupt page in a large file that was not closed", async () => {
    const path = await intactDatabase();
    overwrite(path, 20 * PAGE, new Uint8Array(PAGE).fill(0xa5));
    writeFileSync(`${path}.holder`, "process 1 on elsewhere since yesterday\n");
    await expectDamage(path, /malformed|page 21|Tree/, 0);
  });

  test("with a corrupt page and a write-ahead log, which is kept", async () => {
    const [source, path] = [await intactDatabase(), temporaryDatabase()];
    const engine = await openLocalEngine({ path: source, checkpoints: NEVER });
    await engine.write(async (session) => session.run(statement("delete from t where id = 1"), []));
    for (const end of ["", "-wal"]) copyFileSync(`${source}${end}`, `${path}${end}`);
    await engine.close();
    overwrite(path, 20 * PAGE, new Uint8Array(PAGE).fill(0xa5));
    const log = digest(`${path}-wal`);
    await expectDamage(path, /malformed|page 21|Tree/, 0);
    expect(digest(`${path}-wal`)).toBe(log);
  });

  test("that is missing while its write-ahead log exists", async () => {
    const path = await intactDatabase();
    const engine = await openLocalEngine({ path, checkpoints: NEVER });
    await engine.write(async (session) => session.run(statement("delete from t where id = 1"), []));
    copyFileSync(`${path}-wal`, `${path}-copy`);
    await engine.close();
    rmSync(path);
    copyFileSync(`${path}-copy`, `${path}-wal`);
    await expectDamage(path, "it is missing or empty, but has a write-ahead log of");
  });
});

test("the startup check does not read every page of a large file that was closed cleanly", async () => {
  const path = await intactDatabase();
  overwrite(path, 20 * PAGE, new Uint8Array(PAGE).fill(0xa5));
  const engine = await openLocalEngine({ path, quickCheckBytes: 0 });
  expect(await rowsOf(engine.reader, "select 1")).toEqual([[1n]]);
  await engine.close();
});

test("the startup check accepts an empty file as a new database", async () => {
  const path = temporaryDatabase();
  writeFileSync(path, "");
  const engine = await openLocalEngine({ path });
  expect(await rowsOf(engine.reader, "select count(*) from sqlite_master")).toEqual([[0n]]);
  await engine.close();
});
