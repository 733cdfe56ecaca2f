import { as, TestClock, type TestKernel } from "edgehelm/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AuditList, MAX_LISTED } from "../../../../core/calls/audit/audit_list.ts";
import { LocalEngine } from "../../../../core/host/sqlite/engine.ts";
import { PrometheusMetrics } from "../../../../core/host/observe/metrics.ts";
import { openRemoteEngine } from "../../../../core/storage/remote/engine.ts";
import { NSDomainGroupService } from "../../../../plugins/ns_domain_group/proto/service_ns_domain_group_pb.ts";
import { sqldRuns } from "../../../servers/sqld.ts";
import { temporarySqld } from "../../storage/engines.ts";
import { auditedKernel, kernelDb, recordsOf, tamper } from "./rig.ts";

const { createNSDomainGroup } = NSDomainGroupService.method;
const ada = as.user(7n);
const BROKEN = "degraded: the audit log is not whole; the command audit verify names the records\n";

let clock: TestClock;
let edgehelm: TestKernel;
beforeEach(async () => {
  clock = new TestClock();
  edgehelm = await auditedKernel({ clock });
});
afterEach(() => edgehelm[Symbol.asyncDispose]());

async function readyz(kernel: TestKernel): Promise<string> {
  return await (await kernel.fetch(new Request("http://edgehelm.test/readyz"))).text();
}

describe("the job kernel.verify_audit", () => {
  test("makes a broken chain visible in /readyz until it is mended", async () => {
    await edgehelm.call(ada, createNSDomainGroup, { name: "seen" });
    await edgehelm.kernel.runJob("kernel.verify_audit");
    expect(await readyz(edgehelm)).toBe("ok\n");
    const [record] = await recordsOf(edgehelm, "createNSDomainGroup");
    const { address, id } = record!;
    await tamper(edgehelm, `update kernel_audit set address = 'changed' where id = ${id}`);
    await edgehelm.kernel.runJob("kernel.verify_audit");
    expect(await readyz(edgehelm)).toBe(BROKEN);
    await tamper(edgehelm, `update kernel_audit set address = '${address}' where id = ${id}`);
    await edgehelm.kernel.runJob("kernel.verify_audit");
    expect(await readyz(edgehelm)).toBe("ok\n");
  });

  test.skipIf(!sqldRuns())("tells other instances on the same database", async () => {
    const { url } = await temporarySqld();
    const open = async () => await auditedKernel({ clock, engine: await openRemoteEngine({ url }) });
    await using first = await open();
    await using second = await open();
    await first.call(ada, createNSDomainGroup, { name: "by the first" });
    await second.call(ada, createNSDomainGroup, { name: "by the second" });
    await first.kernel.runJob("kernel.verify_audit");
    expect([await readyz(first), await readyz(second)]).toEqual(["ok\n", "ok\n"]);
    await tamper(second, "delete from kernel_audit where id = 2");
    await first.kernel.runJob("kernel.verify_audit");
    clock.advance(3);
    expect([await readyz(first), await readyz(second)]).toEqual([BROKEN, BROKEN]);
  });
});

test("lists and counts find their records in the index", async () => {
  if (!(edgehelm.engine instanceof LocalEngine)) return;
  const { page, count } = new AuditList(kernelDb).statements;
  const values = { from: 0n, to: 1n, size: 1n, offset: 0n };
  for (const query of [page, count]) {
    const parameters = [...query.statement.sql.matchAll(/\?/g)].map(() => 1n);
    const scope = { owner: "kernel", tables: undefined };
    const plan = await edgehelm.engine.reader.run(
      { sql: `explain query plan ${query.statement.sql}`, scope },
      parameters,
      Infinity,
    );
    const lines = plan.rows.map((row) => String(row[3]));
    expect(lines[0]).toMatch(/SEARCH kernel_audit USING (COVERING )?INDEX kernel_audit_createdAt \(createdAt>\? AND/);
    expect(lines.join()).not.toMatch(/SCAN|TEMP B-TREE/);
  }
  expect(values.size).toBe(1n);
});

test("a list goes back over a bounded number of records", async () => {
  const list = new AuditList(kernelDb);
  await tamper(
    edgehelm,
    `insert into kernel_audit (createdAt, requestId, role, callerId, operation)
     with recursive n(i) as (values (1) union all select i + 1 from n where i < ${MAX_LISTED + 50})
     select i, '', 'admin', 1, 'made' from n`,
  );
  const call = edgehelm.kernel.systemCall("test");
  expect(await list.count(call, {})).toBe(BigInt(MAX_LISTED));
  expect(await list.count(call, { from: 1n, to: 51n })).toBe(50n);
  const [oldest] = await list.page(call, { role: "admin" }, { offset: BigInt(MAX_LISTED - 1), size: 1n });
  expect(oldest).toMatchObject({ createdAt: 51n });
});

test("metrics say whether the last verification found errors", async () => {
  const metrics = new PrometheusMetrics();
  await using measured = await auditedKernel({ clock, metrics });
  await measured.call(ada, createNSDomainGroup, { name: "seen" });
  await tamper(measured, "update kernel_audit set address = 'changed' where id = 1");
  await measured.kernel.runJob("kernel.verify_audit");
  expect(await metrics.text()).toMatch(/edgehelm_audit_broken(\{[^}]*\})? 1\n/);
});
