import { as, TestClock, type TestKernel } from "edgehelm/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { LocalEngine } from "../../../../core/host/sqlite/engine.ts";
import { NSDomainGroupService } from "../../../../plugins/ns_domain_group/proto/service_ns_domain_group_pb.ts";
import { NSKeyService } from "../../../../plugins/ns_key/proto/service_ns_key_pb.ts";
import { auditedKernel, recordsOf, runCommand } from "./rig.ts";

const { findAllNSDomainGroups } = NSDomainGroupService.method;
const { listNSKeys, listNSKeysAfterVersion } = NSKeyService.method;
const ada = as.user(7n);

let clock: TestClock;
let edgehelm: TestKernel;
beforeEach(async () => {
  clock = new TestClock();
  edgehelm = await auditedKernel({ clock });
});
afterEach(() => edgehelm[Symbol.asyncDispose]());

/** Ends the minute, and returns the sums that it wrote. */
async function sumsOfMinute(expected: number) {
  clock.advance(60);
  const sums = async () => (await recordsOf(edgehelm)).filter(({ requestId }) => requestId === "");
  await vi.waitFor(async () => expect((await sums()).length).toBeGreaterThanOrEqual(expected), 300_000);
  return await sums();
}

describe("calls that are summed up", () => {
  test("are refused ones, by caller, operation and reason, and take no writer", async () => {
    edgehelm.kernel.startJobs();
    await edgehelm.call(ada, findAllNSDomainGroups, {});
    const jobs = () => edgehelm.engine instanceof LocalEngine ? edgehelm.engine.writer.jobs : 0;
    const before = jobs();
    for (let index = 0; index < 3; index++) {
      await expect(edgehelm.call(as.dns(3n), findAllNSDomainGroups, {})).rejects.toMatchObject({ code: 403 });
    }
    const written = jobs() - before;
    for (let index = 0; index < 50; index++) {
      const refused = await edgehelm.post("/NSDomainGroupService/findAllNSDomainGroups", {});
      expect(refused.code).toBe(401);
    }
    expect(jobs() - before).toBe(written);
    const sums = await sumsOfMinute(2);
    const operation = "/NSDomainGroupService/findAllNSDomainGroups";
    expect(sums).toMatchObject([
      { role: "dns", callerId: 3n, operation, code: 403n, reason: "kernel.role_forbidden", count: 3n },
      { role: "anonymous", callerId: 0n, operation, code: 401n, reason: "kernel.token_missing", count: 50n },
    ]);
    expect(await runCommand(edgehelm, "audit verify")).toHaveLength(1);
  });

  test("are reads of nodes, by node, and not those of people", async () => {
    edgehelm.kernel.startJobs();
    for (const node of [1n, 1n, 2n]) await edgehelm.call(as.dns(node), listNSKeysAfterVersion, {});
    await edgehelm.call(as.admin(), listNSKeys, { nsDomainId: 1n }).catch(() => {});
    expect(await sumsOfMinute(2)).toMatchObject([
      { role: "dns", callerId: 1n, operation: "/NSKeyService/listNSKeysAfterVersion", code: 200n, count: 2n },
      { role: "dns", callerId: 2n, count: 1n },
    ]);
  });

  test("have a bounded number of rows, whatever is sent from wherever", async () => {
    const { dispatch } = edgehelm.kernel;
    const operation = edgehelm.kernel.operations.find("/NSDomainGroupService/findAllNSDomainGroups")!;
    for (let index = 0; index < 1000; index++) {
      const metadata = { token: undefined, requestId: "r", remoteAddress: `2001:db8::${index.toString(16)}` };
      await dispatch.call(operation, metadata, () => ({ request: {} }), () => {}).catch(() => {});
    }
    edgehelm.kernel.startJobs();
    const sums = await sumsOfMinute(201);
    expect(sums).toHaveLength(201);
    expect(sums.at(-1)).toMatchObject({ address: "", count: 800n, reason: "kernel.token_missing" });
  });
});
