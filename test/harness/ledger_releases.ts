import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

const ROWS = 2000;
/** The migrations of a plugin, of which its first release has the first one. */
const MIGRATIONS: Readonly<Record<string, readonly string[]>> = {
  "0001_create_entries": [
    "create table ledgerEntries (id integer primary key, amount integer not null, note text not null) strict",
    `insert into ledgerEntries with recursive n(id) as (select 1 union all select id + 1 from n where id < ${ROWS})
     select id, id, 'entry ' || id from n`,
  ],
  "0002_add_cents": [
    "alter table ledgerEntries add column cents integer not null default 0",
    "update ledgerEntries set cents = amount * 100",
  ],
  "0003_index_notes": ["create index ledgerEntries_note on ledgerEntries (note)"],
  "0004_move_notes": [
    "create table ledgerNotes (id integer primary key, note text not null) strict",
    "insert into ledgerNotes select id, note from ledgerEntries",
    "update ledgerEntries set note = ''",
  ],
};

/** The tables of a release, with what tells one release from the other. */
export const LEDGER_STATES = {
  first: {
    sql: "select count(*), sum(amount), count(distinct note) from ledgerEntries",
    rows: [[ROWS, ROWS * (ROWS + 1) / 2, ROWS]],
  },
  second: {
    sql: `select count(*), sum(cents), count(distinct ledgerNotes.note), count(nullif(ledgerEntries.note, ''))
          from ledgerEntries join ledgerNotes using (id)`,
    rows: [[ROWS, ROWS * (ROWS + 1) * 50, ROWS, 0]],
  },
};

/**
 * Writes a release of the plugin `ledger` beside the manifest of an installation, whose only further plugin it becomes.
 *
 * @param release 1 or 2
 * @param more further migrations of the second release
 */
export async function installLedger(
  { EDGEHELM_MANIFEST }: Readonly<Record<string, string>>,
  release: 1 | 2,
  more: Readonly<Record<string, readonly string[]>> = {},
): Promise<void> {
  const folder = join(dirname(EDGEHELM_MANIFEST!), "ledger");
  await mkdir(folder, { recursive: true });
  const tables = ["ledgerEntries", "ledgerNotes"];
  const declared = { name: "ledger", version: `${release}.0.0`, kernel: "^1", services: [], tables };
  await writeFile(join(folder, "plugin.json"), JSON.stringify(declared));
  const migrations = Object.fromEntries(
    Object.entries({ ...MIGRATIONS, ...more }).slice(0, release === 1 ? 1 : undefined),
  );
  await writeFile(
    join(folder, "plugin.js"),
    `import { definePlugin } from "edgehelm";
import { sql } from "kysely";
import manifest from "./plugin.json" with { type: "json" };
const migrations = Object.fromEntries(
  Object.entries(${JSON.stringify(migrations)}).map(([name, statements]) => [name, {
    async up(db) { for (const each of statements) await sql.raw(each).execute(db); },
  }]),
);
export default definePlugin({ manifest, migrations, setup() {} });
`,
  );
  const manifest = JSON.parse(await readFile(EDGEHELM_MANIFEST!, "utf8"));
  const others = manifest.plugins.filter(({ use }: { readonly use: string }) => use !== "./ledger");
  await writeFile(EDGEHELM_MANIFEST!, JSON.stringify({ ...manifest, plugins: [...others, { use: "./ledger" }] }));
}
