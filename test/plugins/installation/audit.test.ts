import { TestClock, type TestKernel } from "edgehelm/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { as } from "edgehelm/testing";
import installation from "../../../plugins/installation/plugin.ts";
import { InstallationService } from "../../../plugins/installation/proto/service_installation_pb.ts";
import { NSDomainGroupService } from "../../../plugins/ns_domain_group/proto/service_ns_domain_group_pb.ts";
import { recordsOf, tamper } from "../../core/calls/audit/rig.ts";
import { domainKernel } from "../ns_domain/rig.ts";

const rpc = InstallationService.method;
const { createNSDomainGroup, updateNSDomainGroup } = NSDomainGroupService.method;
const root = as.admin(1n);
const ada = as.user(7n);
const eve = as.user(8n);
const START = 1_800_000_000;

let clock: TestClock;
let edgehelm: TestKernel;
beforeEach(async () => {
  clock = new TestClock(START * 1000);
  edgehelm = await domainKernel({ plugins: [installation], clock, admins: { 2: ["log"] } });
});
afterEach(() => edgehelm[Symbol.asyncDispose]());

const find = async () => (await edgehelm.call(root, rpc.findInstallationAudit, {})).audit!;
const list = async (request = {}) => (await edgehelm.call(root, rpc.findInstallationAuditRecords, request)).records;

test("the state is that of the last verification, which can be run", async () => {
  expect(await find()).toMatchObject({ state: "never", verifiedAt: 0n, keepDays: 180, guardDays: 90 });
  await edgehelm.call(ada, createNSDomainGroup, { name: "seen" });
  const verified = await edgehelm.call(root, rpc.verifyInstallationAudit, {});
  expect(verified).toMatchObject({ result: "ok", audit: { state: "ok", verifiedAt: BigInt(START), errors: [] } });
  expect(verified.audit!.countRecords).toBeGreaterThan(0n);
  const [record] = await recordsOf(edgehelm, "createNSDomainGroup");
  await tamper(edgehelm, `update kernel_audit set callerId = 9 where id = ${record!.id}`);
  await edgehelm.call(root, rpc.verifyInstallationAudit, {});
  expect(await find()).toMatchObject({ state: "broken", errors: [`record ${record!.id} was changed`] });
  const { findings } = await edgehelm.call(root, rpc.checkInstallationHealth, {});
  expect(findings.find(({ part }) => part === "audit")).toMatchObject({ state: "bad", code: "audit_broken" });
});

test("records have the rows before and after, and each filter applies", async () => {
  const { nsDomainGroupId: id } = await edgehelm.call(ada, createNSDomainGroup, { name: "old" });
  clock.advance(86_400);
  await edgehelm.call(ada, updateNSDomainGroup, { nsDomainGroupId: id, name: "new", isOn: true });
  await edgehelm.call(eve, createNSDomainGroup, { name: "hers" });
  const names = async (request: object) =>
    (await list(request)).map(({ operation }) => operation.split("/").at(-1)).filter((name) => name?.endsWith("Group"));
  expect(await names({})).toEqual(["createNSDomainGroup", "updateNSDomainGroup", "createNSDomainGroup"]);
  expect(await names({ role: "user", callerId: 7n })).toEqual(["updateNSDomainGroup", "createNSDomainGroup"]);
  expect(await names({ role: "admin" })).toEqual([]);
  expect(await names({ operation: "createNSDomainGroup" })).toHaveLength(2);
  expect(await names({ operation: "/NSDomainGroupService/updateNSDomainGroup" })).toHaveLength(1);
  expect(await names({ operation: "NSDomainGroup" })).toEqual([]);
  expect(await names({ object: `nsDomainGroups/${id}` })).toHaveLength(2);
  expect(await names({ object: "nsDomainGroups" })).toEqual([]);
  expect(await names({ dayTo: new Date(START * 1000).toISOString().slice(0, 10) })).toEqual(["createNSDomainGroup"]);
  const [record] = await list({ operation: "updateNSDomainGroup", size: 1n });
  expect(record).toMatchObject({ role: "user", callerId: 7n, objects: [`nsDomainGroups/${id}`], code: 200 });
  expect(record!.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.parse(new TextDecoder().decode(record!.changesJSON))).toMatchObject([
    { before: { name: "old" }, after: { name: "new" } },
  ]);
});

test.each([
  [{ size: 101n }, "size: must be at most 100, got 101"],
  [{ callerId: -1n }, "callerId: must not be negative, got -1"],
  [{ object: "x".repeat(201) }, "object: must have at most 200 characters, got 201"],
])("refuses %o", async (request, message) => {
  await expect(list(request)).rejects.toMatchObject({ code: 400, message });
});

test("is for super admins", async () => {
  const methods = [rpc.findInstallationAudit, rpc.verifyInstallationAudit, rpc.findInstallationAuditRecords];
  for (const caller of [as.admin(2n), ada]) {
    for (const method of methods) {
      await expect(edgehelm.call(caller, method as typeof rpc.findInstallationAudit, {}))
        .rejects.toMatchObject({ code: 403 });
    }
  }
});
