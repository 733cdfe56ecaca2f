import { once } from "node:events";
import { expect, test } from "vitest";
import type { SqlResult, SqlValue } from "../../../../core/storage/engine.ts";
import type { LocalEngine } from "../../../../core/host/sqlite/engine.ts";
import { rowsOf, scopeOf, startProgram, statement, temporaryDatabase, temporaryEngine } from "../fixture.ts";

const SCHEMA = ["create table t(id integer primary key, n, b)", "create index t_n on t(n)"];
const NUMBERS = "with recursive c(v) as (values (1) union all select v + 1 from c";
const ENDLESS = statement(`${NUMBERS}) select sum(v) from c`);
/** Returns a row at once, and never another one. */
const ENDLESS_AFTER_ONE_ROW = statement(`${NUMBERS}) select v from c where v = 1 or v = -1`);

function read(engine: LocalEngine, sql: string, values: SqlValue[] = [], milliseconds = 20_000): Promise<SqlResult> {
  return Promise.resolve(engine.reader.run(statement(sql), values, Date.now() + milliseconds));
}

test.each([["its rows", ENDLESS], ["its second row", ENDLESS_AFTER_ONE_ROW]])(
  "a read that never finds %s ends at its deadline, while others and the event loop go on",
  async (_, endless) => {
    const engine = await temporaryEngine(SCHEMA);
    let turns = 0;
    const ticker = setInterval(() => turns++, 5);
    const ended = Promise.resolve(engine.reader.run(endless, [], Date.now() + 400));
    const outcome = expect(ended).rejects.toMatchObject({ reason: "kernel.deadline" });
    const before = turns;
    await engine.write(async (session) => session.run(statement("insert into t values (1, 2, null)"), []));
    expect((await read(engine, "select n from t where id = 1")).rows).toEqual([[2n]]);
    expect((await read(engine, "select id from t where n = 2")).rows).toEqual([[1n]]);
    expect((await read(engine, "select count(*) from t")).rows).toEqual([[1n]]);
    await outcome;
    clearInterval(ticker);
    // A blocked event loop would not have turned at all.
    expect(turns - before).toBeGreaterThan(1);
    for (let again = 0; again < 5; again++) {
      expect((await read(engine, "select count(*) from t")).rows).toEqual([[1n]]);
    }
  },
);

test("a read of a whole table that waits for endless ones ends at its own deadline, and a read by key does not wait", async () => {
  const engine = await temporaryEngine(SCHEMA);
  const endless = [1, 2].map(() => Promise.resolve(engine.reader.run(ENDLESS, [])));
  const outcome = Promise.allSettled(endless);
  await expect(read(engine, "select count(*) from t", [], 50)).rejects.toMatchObject({ kind: "deadline" });
  expect((await read(engine, "select count(*) from t where n = ?", [1n])).rows).toEqual([[0n]]);
  await engine.close();
  expect((await outcome).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});

test("connections whose reads go on after an interrupt are reported and replaced, and do not hold up the close", async () => {
  const { child, line } = await startProgram("reads/hung_program.ts", temporaryDatabase());
  let output = `${line}\n`;
  child.stdout.on("data", (chunk) => output += chunk);
  await once(child, "close");
  const deadline = "the read took longer than its deadline allows";
  expect(output.split("\n").filter((line) => line === deadline)).toHaveLength(2);
  expect(output).toMatch(/(a read goes on although it was interrupted, its connection is replaced: select [^]+){2}/);
  expect(output).toMatch(/found 1\nclosed\n$/);
});

test("an interrupt does not reach the transaction that runs meanwhile", async () => {
  const engine = await temporaryEngine(SCHEMA);
  const endless = Promise.resolve(engine.reader.run(ENDLESS, [], Date.now() + 50));
  await engine.write(async (session) => {
    await session.run(statement("insert into t(n) values (1)"), []);
    await expect(endless).rejects.toMatchObject({ kind: "deadline" });
    await session.run(statement("insert into t(n) values (2)"), []);
  });
  expect((await read(engine, "select n from t order by id")).rows).toEqual([[1n], [2n]]);
});

test("has the values, the order and the names of columns of any other read", async () => {
  const engine = await temporaryEngine(SCHEMA);
  const bytes = new Uint8Array([0, 255]);
  await engine.write(async (session) => {
    for (const [n, b] of [[2n ** 63n - 1n, "é"], [1.5, bytes], [null, new Uint8Array()]] as const) {
      await session.run(statement("insert into t(n, b) values (?, ?)"), [n, b]);
    }
  });
  const { columns, rows, changes } = await read(engine, "select b, n, n from t order by id desc; ");
  expect({ columns, changes }).toEqual({ columns: ["b", "n", "n"], changes: 0n });
  expect(rows.map(([b, ...rest]) => [b instanceof Uint8Array ? [...b] : b, ...rest])).toEqual([
    [[], null, null],
    [[0, 255], 1.5, 1.5],
    ["é", 2n ** 63n - 1n, 2n ** 63n - 1n],
  ]);
  const last = { ...statement("select id from t where n is not 7 order by id desc -- the last"), firstRow: true };
  expect((await engine.reader.run(last, [])).rows).toEqual([[3n]]);
  await expect(read(engine, "select json(n || ?) from t", ["{"])).rejects.toThrow("malformed JSON");
});

test("sees each commit and each migration before it", async () => {
  const engine = await temporaryEngine(SCHEMA);
  const all = statement("select * from t where n is not 0");
  for (let n = 1; n <= 5; n++) {
    await engine.write(async (session) => session.run(statement("insert into t(n) values (?)"), [n]));
    expect((await engine.reader.run(all, [])).rows).toHaveLength(n);
  }
  await engine.migrate(async (session) => void await session.run(statement("alter table t add column x"), []));
  expect((await engine.reader.run(all, [])).columns).toEqual(["id", "n", "b", "x"]);
});

test("refuses a result above its limits", async () => {
  const engine = await temporaryEngine(SCHEMA, { longReads: { rows: 100, bytes: 3000 } });
  const numbers = `${NUMBERS} where v < ?) select v from c`;
  expect((await read(engine, numbers, [100])).rows).toHaveLength(100);
  await expect(read(engine, numbers, [101])).rejects.toMatchObject({
    kind: "too_large",
    message: "the result of the read is larger than the limit of 100 rows",
  });
  await expect(read(engine, `${NUMBERS} where v < ?) select zeroblob(1000) from c`, [4])).rejects.toThrow(
    "the limit of 3000 bytes",
  );
  expect((await read(engine, numbers, [3])).rows).toHaveLength(3);
});

test("ends with the engine", async () => {
  const engine = await temporaryEngine(SCHEMA);
  const running = [ENDLESS, ENDLESS, ENDLESS].map((endless) => Promise.resolve(engine.reader.run(endless, [])));
  const outcome = expect(Promise.allSettled(running)).resolves.toMatchObject(
    running.map(() => ({ status: "rejected", reason: { message: "the database is closed" } })),
  );
  await engine.close();
  await outcome;
});

test("a transaction refuses a recursive query of a plugin that does not say why it ends", async () => {
  const engine = await temporaryEngine(SCHEMA);
  const scope = scopeOf("p", "t");
  const sql = `insert into t(n) ${NUMBERS} where v < ?) select v from c`;
  const refused = /plugin "p" may not run a recursive query in a transaction, .*: insert into t/;
  await expect(engine.write(async (session) => session.run(statement(sql, scope), [3]))).rejects.toThrow(refused);
  expect(engine.checkChanges([statement(sql, scope)])).toEqual([expect.stringMatching(refused)]);
  const declared = { ...statement(sql, scope), recursive: "it counts to a small number" };
  expect(engine.checkChanges([declared])).toEqual([]);
  await engine.write(async (session) => session.run(declared, [3]));
  expect(await rowsOf(engine.reader, "select n from t order by id")).toEqual([[1n], [2n], [3n]]);
});
