import { definePlugin, type Plugin } from "edgehelm";
import { type Kysely, sql } from "kysely";
import { ProbeService } from "../../fixtures/probe/proto/probe_pb.ts";

/** A plugin that puts the text of a request into a statement, as none may: proof that the campaign would find it. */
export const plugin: Plugin = definePlugin({
  manifest: {
    name: "open",
    version: "1.0.0",
    kernel: "^1",
    services: ["ProbeService"],
    tables: ["openNames"],
    modules: [{ code: "probe", name: "Probe" }, { code: "sight", name: "Sight" }],
  },
  migrations: {
    "0001_create_open_names": {
      up: async (db: Kysely<never>) => {
        await sql`create table openNames (id integer primary key, name text not null) strict`.execute(db);
        await sql`insert into openNames (name) values ('ada'), ('x')`.execute(db);
      },
    },
  },
  setup({ db, serve }) {
    const tables = db<{ openNames: { id: bigint; name: string } }>();
    serve(ProbeService, {
      async look({ text }, call) {
        const statement = `select name from openNames where name = '${text}'`;
        const { rows } = await sql.raw<{ name: string }>(statement).execute(tables(call));
        return { text: rows.map(({ name }) => name).join() };
      },
      change: () => ({}),
      reach: () => ({}),
      greet: () => ({}),
      async *tell() {},
      gather: () => Promise.resolve({}),
      async *talk() {},
    });
  },
});
