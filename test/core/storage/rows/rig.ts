import { type Call, type Db, type DefaultFlag, defineErrors, definePlugin } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import type { Int32 } from "edgehelm/storage";
import { type TestKernel, testKernel } from "edgehelm/testing";
import { type Kysely, sql } from "kysely";

export interface Tables {
  shelves: LiveTable<{ userId: bigint; room: string; weight: Int32; isOn: DefaultFlag }>;
}

export const errors = defineErrors("shelves", {
  not_found: ["not_found", (id: bigint) => `shelf ${id} does not exist`],
  in_use: ["conflict", (id: bigint, users: string) => `shelf ${id} is used by ${users}`],
});

/** The rows that every test starts with; their ids are 1 to 4. */
export const SHELVES = [
  { userId: 7n, room: "hall", weight: 30 },
  { userId: 7n, room: "50% sale", weight: 20 },
  { userId: 8n, room: "hall", weight: 10 },
  { userId: 8n, room: "attic", weight: 40 },
] as const;

export interface ShelfRig extends AsyncDisposable {
  readonly edgehelm: TestKernel;
  readonly db: Db<Tables>;
  readonly call: Call;
}

/** Starts a kernel with a table of shelves, and fills it. */
export async function shelfRig(): Promise<ShelfRig> {
  let db!: Db<Tables>;
  const plugin = definePlugin({
    manifest: { name: "shelves", version: "1.0.0", kernel: "^1", services: [], tables: ["shelves"] },
    migrations: {
      "0001_create_shelves": {
        up: async (q: Kysely<never>) => {
          await sql`create table shelves (id integer primary key, userId integer not null, room text not null,
            weight integer not null, isOn integer not null default 1, state integer not null default 1) strict`.execute(
            q,
          );
          await sql`create unique index shelves_place on shelves (userId, room) where state = 1`.execute(q);
        },
      },
    },
    setup: (setup) => void (db = setup.db<Tables>()),
  });
  const edgehelm = await testKernel({ plugins: [plugin] });
  const call = edgehelm.kernel.systemCall("test");
  const insert = db.insert("shelves", ["userId", "room", "weight"]);
  await call.transact(async (inner) => {
    for (const shelf of SHELVES) await insert.one(inner, shelf);
  });
  return { edgehelm, db, call, [Symbol.asyncDispose]: () => edgehelm[Symbol.asyncDispose]() };
}
