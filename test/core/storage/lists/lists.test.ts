import { type Call, type Db, definePlugin } from "edgehelm";
import { type BulkList, declareList, type ListFilter } from "edgehelm/storage";
import { type TestKernel, testKernel } from "edgehelm/testing";
import { type Generated, type Kysely, type Selectable, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Random } from "../../../harness/random.ts";
import { ENGINES } from "../engines.ts";

interface Tables {
  notes: {
    id: Generated<bigint>;
    userId: bigint;
    folderId: bigint;
    groupIds: string;
    tagIds: string;
    status: string;
    title: string;
    text: string;
    createdAt: bigint;
    state: Generated<bigint>;
  };
}
type Note = Selectable<Tables["notes"]>;

const DECLARATION = {
  table: "notes",
  softDeletion: "state",
  scopes: ["userId", "folderId"],
  links: { groupId: "groupIds", tagId: "tagIds" },
  choices: ["status"],
  days: "createdAt",
  search: ["title", "text"],
} as const;
type Filter = ListFilter<typeof DECLARATION>;
const COUNTED_BY_TRIGGERS = declareList(DECLARATION);
const COUNTED_IN_BULK = declareList({ ...DECLARATION, insertsInBulk: true });

const createNotes = {
  up: async (db: Kysely<never>) =>
    void await sql`
      create table notes (
        id integer primary key autoincrement,
        userId integer not null,
        folderId integer not null,
        groupIds text not null,
        tagIds text not null,
        status text not null,
        title text not null,
        text text not null,
        createdAt integer not null,
        state integer not null default 1
      ) strict`.execute(db),
};

const DAY = 86_400n;
/** Ids are far apart, so that the rows lie in many buckets of both sizes. */
const ID_STEP = 131;
const WORDS = ["bread", "butter", "Bread", "50 %", "a_b", "x", "naïve", 'say "hi"'];

/** A table of notes, and the same notes in memory. */
class Notes {
  readonly rows = new Map<bigint, Note>();
  readonly #random: Random;
  readonly #db: Db<Tables>;
  #lastId = 0;

  constructor(random: Random, db: Db<Tables>) {
    this.#random = random;
    this.#db = db;
  }

  /** Inserts notes and returns their ids. */
  async insert(call: Call, count: number): Promise<bigint[]> {
    const rows = Array.from({ length: count }, () => {
      this.#lastId += 1 + this.#random.below(ID_STEP * 2);
      return { id: BigInt(this.#lastId), ...this.#values(), state: this.#random.below(20) === 0 ? 0n : 1n };
    });
    await this.#db(call).insertInto("notes").values(rows).execute();
    for (const row of rows) this.rows.set(row.id, row);
    return rows.map(({ id }) => id);
  }

  /** Changes a note in one of the ways in which notes change. */
  async change(call: Call): Promise<void> {
    const row = this.#random.oneOf([...this.rows.values()]);
    const notes = this.#db(call);
    if (this.#random.below(6) === 0) {
      this.rows.delete(row.id);
      await notes.deleteFrom("notes").where("id", "=", row.id).execute();
      return;
    }
    const names = ["userId", "folderId", "groupIds", "tagIds", "status", "title", "text", "createdAt"] as const;
    const name = this.#random.oneOf(names);
    const changes = this.#random.below(3) === 0
      ? { state: 1n - row.state }
      : this.#random.below(5) === 0
      ? { ...this.#values(), state: 1n - row.state }
      : { [name]: this.#values()[name] };
    this.rows.set(row.id, { ...row, ...changes });
    await notes.updateTable("notes").set(changes).where("id", "=", row.id).execute();
  }

  matching(filter: Filter): bigint[] {
    const { userId, folderId, groupId, tagId, status, from = 0n, to = 2n ** 53n, keyword = "" } = filter;
    const word = keyword.toLowerCase();
    return [...this.rows.values()].filter((row) =>
      row.state === 1n && isOneOf(row.userId, userId) && isOneOf(row.folderId, folderId) &&
      (!groupId || JSON.parse(row.groupIds).includes(Number(groupId))) &&
      (!tagId || JSON.parse(row.tagIds).includes(Number(tagId))) && (!status || row.status === status) &&
      row.createdAt >= from && row.createdAt < to &&
      (row.title.toLowerCase().includes(word) || row.text.toLowerCase().includes(word))
    ).map(({ id }) => id).sort((a, b) => Number(b - a));
  }

  #values() {
    const random = this.#random;
    const ids = () => JSON.stringify(random.list(3, () => 1 + random.below(3)));
    return {
      userId: BigInt(random.below(4)),
      folderId: BigInt(random.oneOf([0, 0, 0, 1, 2])),
      groupIds: random.below(2) === 0 ? "[]" : ids(),
      tagIds: random.below(4) === 0 ? ids() : "[]",
      status: random.oneOf(["open", "open", "open", "closed"]),
      title: `${random.oneOf(WORDS)} ${random.below(50)}`,
      text: random.list(3, () => random.oneOf(WORDS)).join(" "),
      createdAt: DAY * BigInt(random.below(5)) + BigInt(random.below(86_400)),
    };
  }
}

function isOneOf(id: bigint, filter: bigint | readonly bigint[] = 0n): boolean {
  return typeof filter === "bigint" ? filter === 0n || id === filter : id !== 0n && filter.includes(id);
}

function randomFilter(random: Random): Filter {
  const sometimes = <Value>(value: Value, none: Value) => random.below(4) === 0 ? value : none;
  return {
    userId: random.oneOf([0n, 0n, 0n, 1n, 2n, 3n, [2n], [1n, 3n], [0n, 3n, 2n], []]),
    folderId: random.oneOf([0n, 0n, 0n, 0n, 1n, 2n, [1n, 2n]]),
    groupId: sometimes(BigInt(1 + random.below(3)), 0n),
    tagId: sometimes(1n, 0n),
    status: sometimes(random.oneOf(["open", "closed"]), ""),
    from: sometimes(DAY * BigInt(random.below(3)), 0n),
    to: sometimes(DAY * BigInt(2 + random.below(3)), 2n ** 53n),
    keyword: random.oneOf(["", "", "BREAD", "butter", "tter 4", "%", "x", '"hi"', "no match"]),
  };
}

const WAYS = [
  { way: "by triggers", list: COUNTED_BY_TRIGGERS },
  { way: "in bulk", list: COUNTED_IN_BULK },
];

/** Makes 50 changes in short transactions, since a libSQL server ends long ones. */
async function changeSome(call: Call, notes: Notes): Promise<void> {
  for (let transaction = 0; transaction < 10; transaction++) {
    await call.transact(async (inner) => {
      for (let change = 0; change < 5; change++) await notes.change(inner);
    });
  }
}

describe.each(ENGINES.flatMap((engine) => WAYS.map((way) => ({ ...way, engine }))))(
  "a list that counts $way, on $engine.name",
  ({ list, engine }) => {
    let edgehelm: TestKernel;
    let tables: Db<Tables>;
    let notes: BulkList<Note, Filter, keyof Note>;
    beforeAll(async () => {
      const plugin = definePlugin({
        manifest: { name: "notes", version: "1.0.0", kernel: "^1", services: [], tables: ["notes"] },
        lists: [list],
        migrations: { "0001_create_notes": createNotes, "0002_list_notes": list.migration },
        setup({ db }) {
          tables = db<Tables>();
          notes = list.open(tables) as BulkList<Note, Filter, keyof Note>;
        },
      });
      edgehelm = await testKernel({ plugins: [plugin], engine: await engine.open() });
    });
    afterAll(() => edgehelm[Symbol.asyncDispose]());

    test("pages, counts and searches agree with a plain filter after random changes", async () => {
      const random = new Random(7);
      const expected = new Notes(random, tables);
      const call = edgehelm.kernel.systemCall("test");
      for (let round = 0; round < 6; round++) {
        for (const count of [...Array<number>(12).fill(1), 60, 60, 60, 60, 60, 60]) {
          await call.transact(async (inner) => {
            const ids = await expected.insert(inner, count);
            if (list !== COUNTED_IN_BULK) return;
            const row = expected.rows.get(ids[0]!)!;
            await notes.added(inner, ids, count === 1 && row.state === 1n ? row : undefined);
          });
        }
        await changeSome(call, expected);
        if (round % 2 === 1) await edgehelm.kernel.runJob("notes.index_notes");
        if (round === 3) await changeSome(call, expected);
        for (let query = 0; query < 60; query++) {
          const filter = query === 0 ? {} : randomFilter(random);
          const all = expected.matching(filter);
          const offset = BigInt(random.oneOf([0, 0, 3, 501, 1000, Math.max(0, all.length - 3), all.length]));
          const rows = await notes.page(call, filter, { offset, size: 9n });
          const found = {
            round,
            filter,
            offset,
            count: await notes.count(call, filter),
            ids: rows.map(({ id }) => id),
          };
          const ids = all.slice(Number(offset), Number(offset) + 9);
          expect(found).toEqual({ round, filter, offset, count: BigInt(all.length), ids });
          expect(rows).toEqual(ids.map((id) => expected.rows.get(id)));
        }
      }
    });
  },
);
