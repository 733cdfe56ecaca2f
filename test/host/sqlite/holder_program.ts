import process from "node:process";
import { openLocalEngine } from "../../../core/host/sqlite/engine.ts";

// Opens a database, writes one row and waits to be killed.
const scope = { owner: "kernel", tables: undefined };
const engine = await openLocalEngine({ path: process.argv[2] ?? "" });
await engine.migrate(async (session) => session.run({ sql: "create table t(a)", scope }, []));
await engine.write(async (session) => session.run({ sql: "insert into t values ('kept')", scope }, []));
console.log("ready");
process.stdin.resume();
