import process from "node:process";
import { pathToFileURL } from "node:url";
import { LongReader } from "../../../../core/host/sqlite/reads/long_reader.ts";

// A program that needs --expose-gc: collects the results of earlier reads while a read does not end, on one connection.
const [path] = process.argv.slice(2);
const { gc } = globalThis as unknown as { gc: () => void };
const reader = new LongReader(
  `${pathToFileURL(path!).href}?mode=ro`,
  1,
  { rows: 100, bytes: 10_000, hangTime: 5000 },
  () => {},
);
const run = (sql: string, deadline: number) => {
  const statement = { sql, scope: { owner: "kernel", tables: undefined } };
  return reader.run({ statement, columns: ["n"], values: [], bound: "keyed" }, deadline);
};
for (let read = 0; read < 20; read++) await run("select 1 as n", Infinity);
const endless = "with recursive c(n) as (select 1 union all select n + 1 from c) select max(n) as n from c";
const ended = run(endless, Date.now() + 1000).catch((error: Error) => error.message);
for (let time = 0; time < 10; time++) {
  await new Promise((resolve) => setTimeout(resolve, 20));
  gc();
}
console.log(await ended);
await reader.close();
