import { expect, test } from "vitest";
import { compilingKysely } from "../../../core/storage/executor.ts";
import { parameterPlaceholders } from "../../../core/storage/parameters.ts";

interface Tables {
  things: { id: bigint; name: string; state: bigint };
}

test("constant integers are written into the statement, so that SQLite can use partial indexes", () => {
  const p = parameterPlaceholders<{ id: bigint }>();
  const { sql, parameters } = compilingKysely<Tables>().selectFrom("things").select("id").where("id", "=", p.id)
    .where("name", "=", "it's").where("state", "=", 1n).where("id", ">", -2n).limit(1).compile();
  expect(sql).toBe(
    'select "id" from "things" where "id" = ? and "name" = ? and "state" = 1 and "id" > -2 limit 1',
  );
  expect(parameters).toEqual([p.id, "it's"]);
});
