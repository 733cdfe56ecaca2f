import process from "node:process";
import { openLocalEngine } from "../../../../core/host/sqlite/engine.ts";

// Starts a short or an endless scan, prints the id of the scan process and does not close the engine.
const scope = { owner: "kernel", tables: undefined };
const endless = "with recursive c(v) as (values (1) union all select v + 1 from c) select sum(v) from c";
const engine = await openLocalEngine({ path: process.argv[2] ?? "" });
await engine.scan({ sql: "select 1", scope }, [], Date.now() + 20_000);
if (process.argv[3] === "endless") void engine.scan({ sql: endless, scope }, [], Date.now() + 60_000);
console.log(engine.scans.processIds[0]);
