import { type Call, type Db, definePlugin, type Handlers, type Plugin, type Setup } from "edgehelm";
import { type Kysely, sql } from "kysely";
import { ProbeService } from "../fixtures/probe/proto/probe_pb.ts";

/** The table of the probe plugin. */
export interface Tables {
  probes: { text: string };
}

export type ProbeHandlers = Partial<Handlers<typeof ProbeService>>;

const defaultHandlers = {
  look: () => ({}),
  change: () => ({}),
  reach: () => ({}),
  greet: () => ({}),
  async *tell() {},
  gather: () => Promise.resolve({}),
  async *talk() {},
} satisfies Handlers<typeof ProbeService>;

/** Creates a plugin with one table and the handlers of a test. */
export function probePlugin(
  createHandlers: (db: Db<Tables>, setup: Setup<unknown, Record<never, never>, never>) => ProbeHandlers,
): Plugin {
  return definePlugin({
    manifest: {
      name: "probe",
      version: "1.0.0",
      kernel: "^1",
      services: ["ProbeService"],
      tables: ["probes"],
      smallTables: { probes: 1000 },
      modules: [{ code: "probe", name: "Probe" }, { code: "sight" }],
    },
    migrations: {
      "0001_create_probes": {
        up: async (db: Kysely<never>) => void await sql`create table probes (text text not null) strict`.execute(db),
      },
    },
    setup(setup) {
      setup.serve(ProbeService, { ...defaultHandlers, ...createHandlers(setup.db<Tables>(), setup as never) });
    },
  });
}

export async function insertProbe(db: Db<Tables>, call: Call, text: string): Promise<void> {
  await db(call).insertInto("probes").values({ text }).execute();
}

/** Returns the rows of the probe plugin's table, in order. */
export async function probes(db: Db<Tables>, call: Call): Promise<string[]> {
  return (await db(call).selectFrom("probes").select("text").orderBy("text").execute()).map(({ text }) => text);
}
