import type { LocalEngine } from "../../../core/host/sqlite/engine.ts";
import type { SqlResult } from "../../../core/storage/engine.ts";
import { rowsOf, statement } from "./fixture.ts";

export const SCHEMA = ["create table t(id integer primary key, n text)"];
export const INSERT = statement("insert into t(id, n) values (?, ?)");

export function insert(engine: LocalEngine, id: number, n = "x"): Promise<SqlResult> {
  return engine.write(async (session) => session.run(INSERT, [id, n]));
}

export async function idsIn(engine: LocalEngine): Promise<number[]> {
  return (await rowsOf(engine.reader, "select id from t order by id")).map(([id]) => Number(id));
}
