import type { SqlStatement, StorageEngine } from "../../../core/storage/engine.ts";

const TABLES = "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name";

/** Returns a function that reads all rows of all tables as text. */
export async function contentsOf({ reader }: StorageEngine): Promise<() => Promise<string>> {
  const { rows } = await reader.run(statement(TABLES), []);
  const tables = rows.map(([name]) => statement(`select * from "${name}"`));
  return async () => {
    const contents = [];
    for (const table of tables) contents.push((await reader.run(table, [])).rows);
    return JSON.stringify(contents, (_key, value) => typeof value === "bigint" ? `${value}` : value);
  };
}

function statement(sql: string): SqlStatement {
  return { sql, scope: { owner: "kernel", tables: undefined } };
}
