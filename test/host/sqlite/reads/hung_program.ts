import process from "node:process";
import { openLocalEngine } from "../../../../core/host/sqlite/engine.ts";

// Runs reads that no interrupt ends within half a minute, then another one, and closes the engine.
const scope = { owner: "kernel", tables: undefined };
const letters = (bytes: number) => `replace(hex(zeroblob(${bytes})), '0', 'a')`;
// SQLite looks for an interrupt between the calls of functions, such as LIKE, and not within them.
const endless = { sql: `select * from t where ${letters(100_000)} like '%' || ${letters(10_000)} || 'b'`, scope };
const report = (text: string) => console.log(text);
const engine = await openLocalEngine({ path: process.argv[2] ?? "", longReads: { hangTime: 20 }, report });
await engine.migrate(async (session) => {
  await session.run({ sql: "create table t(n)", scope }, []);
  await session.run({ sql: "insert into t values (1)", scope }, []);
});
const hung = [1, 2].map(() => Promise.resolve(engine.reader.run(endless, [], Date.now() + 50)));
for (const outcome of await Promise.allSettled(hung)) {
  console.log(outcome.status === "rejected" ? outcome.reason.message : "not hung");
}
const { rows } = await engine.reader.run({ sql: "select n from t", scope }, []);
console.log(`found ${rows}`);
await engine.close();
console.log("closed");
process.exit();
