import { as, testKernel } from "edgehelm/testing";
import { expect, test } from "vitest";
import { ProbeService } from "../../fixtures/probe/proto/probe_pb.ts";
import { insertProbe, probePlugin, probes, type Tables } from "../probe.ts";
import type { Db } from "edgehelm";

const { change } = ProbeService.method;

test("a WRITE handler that never responds is rolled back with an error that says so, and other writes go on", async () => {
  let tables!: Db<Tables>;
  const reached = Promise.withResolvers<void>();
  const late = Promise.withResolvers<unknown>();
  const released = Promise.withResolvers<void>();
  let isFirst = true;
  const probe = probePlugin((db) => {
    tables = db;
    return {
      async change(_request, call) {
        if (!isFirst) {
          await insertProbe(db, call, "second");
          return {};
        }
        isFirst = false;
        await insertProbe(db, call, "first");
        reached.resolve();
        await released.promise;
        await insertProbe(db, call, "late").catch(late.resolve);
        return {};
      },
    };
  });
  await using edgehelm = await testKernel({ plugins: [probe] });
  const stalled = edgehelm.call(as.admin(), change, {});
  const refused = expect(stalled).rejects.toMatchObject({
    ...{ code: 504, reason: "kernel.deadline" },
    message: expect.stringContaining("its handler ran no statement for 1000 ms"),
  });
  await reached.promise;
  await edgehelm.call(as.admin(), change, {});
  await refused;
  released.resolve();
  expect(String(await late.promise)).toContain("has ended");
  expect(await probes(tables, edgehelm.kernel.systemCall("test"))).toEqual(["second"]);
});
