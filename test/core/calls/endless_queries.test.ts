import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { sql } from "kysely";
import { as, testKernel } from "../../harness/mod.ts";
import { insertProbe, probePlugin, probes } from "../probe.ts";
import { ProbeRequestSchema, ProbeService } from "../../fixtures/probe/proto/probe_pb.ts";
import { TEST_DATABASE } from "../../harness/database.ts";

const { look, change, reach } = ProbeService.method;
const NUMBERS = "with recursive c(v) as (values (1) union all select v + 1 from c) select v from c";
const admin = as.admin(1n);

test.skipIf(TEST_DATABASE !== "file")(
  "a query of a plugin that never ends is ended at the deadline of its call, while other calls are served",
  async () => {
    const plugin = probePlugin((db) => ({
      async look(_, call) {
        await sql.raw(NUMBERS.replace("select v from", "select sum(v) from")).execute(db(call));
        return {};
      },
      async change({ text }, call) {
        await insertProbe(db, call, text);
        return {};
      },
      reach: async (_, call) => ({ text: (await probes(db, call)).join() }),
    }));
    await using edgehelm = await testKernel({ plugins: [plugin] });
    const { kernel } = edgehelm;
    const operation = kernel.operations.all.find(({ method }) => method === look)!;
    const metadata = { token: await edgehelm.token(admin), requestId: "endless", deadline: Date.now() + 700 };
    const request = create(ProbeRequestSchema);
    let hasEnded = false;
    const endless = kernel.dispatch.call(operation, metadata, () => ({ request }), () => undefined)
      .finally(() => hasEnded = true);
    const outcome = expect(endless).rejects.toMatchObject({ kind: "deadline" });
    await edgehelm.call(admin, change, { text: "meanwhile" });
    expect(await edgehelm.call(admin, reach, {})).toMatchObject({ text: "meanwhile" });
    expect(hasEnded).toBe(false);
    await outcome;
    await edgehelm.call(admin, change, { text: "later" });
    expect(await edgehelm.call(admin, reach, {})).toMatchObject({ text: "later,meanwhile" });
  },
);

test.skipIf(TEST_DATABASE !== "file")(
  "a change with a recursive query stops the start, unless it says why the query ends",
  async () => {
    const insert = `insert into probes ${NUMBERS} limit 3`;
    const withInsert = (recursive?: string) =>
      probePlugin((db) => {
        const query = db.query(
          (q) => ({ compile: () => sql.raw(insert).compile(q) }),
          recursive === undefined ? {} : { recursive },
        );
        return {
          async change(_, call) {
            await query.run(call, {});
            return {};
          },
        };
      });
    await expect(testKernel({ plugins: [withInsert()] })).rejects.toThrow(
      'plugin "probe" may not run a recursive query in a transaction, where it could hold up every other write: read ' +
        `before the transaction, or set the option recursive to the reason why it ends: ${insert}`,
    );
    await using edgehelm = await testKernel({ plugins: [withInsert("it has a LIMIT")] });
    await edgehelm.call(admin, change, {});
  },
);
