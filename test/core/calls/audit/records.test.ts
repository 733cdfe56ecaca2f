import { as, type TestKernel } from "edgehelm/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { NSDomainService } from "../../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { NSDomainGroupService } from "../../../../plugins/ns_domain_group/proto/service_ns_domain_group_pb.ts";
import { NSKeyService } from "../../../../plugins/ns_key/proto/service_ns_key_pb.ts";
import { WIRES } from "../../../harness/wire.ts";
import { auditedKernel, recordsOf, runCommand, tamper } from "./rig.ts";

const { createNSDomainGroup, updateNSDomainGroup, deleteNSDomainGroup, findAllNSDomainGroups } =
  NSDomainGroupService.method;
const { createNSKey, findNSKey } = NSKeyService.method;
const ada = as.user(7n);
const root = as.admin();

let edgehelm: TestKernel;
beforeEach(async () => {
  edgehelm = await auditedKernel();
});
afterEach(() => edgehelm[Symbol.asyncDispose]());

const changesIn = ({ changesJSON }: { changesJSON: string }) => JSON.parse(changesJSON || "[]");

/** Makes the records of an operation fail. */
function refuseRecords(operation: string): Promise<void> {
  return tamper(
    edgehelm,
    `create trigger no_records before insert on kernel_audit when new.operation like '%/${operation}'
     begin select raise(abort, 'no records'); end`,
  );
}

describe("the record of a change", () => {
  test.each(WIRES)("says over %s who changed what, with the rows before and after", async (wire) => {
    const { nsDomainGroupId: id } = await edgehelm.call(ada, createNSDomainGroup, { name: "old" }, wire);
    await edgehelm.call(ada, updateNSDomainGroup, { nsDomainGroupId: id, name: "new", isOn: true }, wire);
    await edgehelm.call(ada, deleteNSDomainGroup, { nsDomainGroupId: id }, wire);
    const objects = `nsDomainGroups/${id}`;
    const who = { role: "user", callerId: 7n, code: 200n, reason: "", count: 1n, objects };
    const records = (await recordsOf(edgehelm)).filter(({ operation }) => operation.includes("NSDomainGroup"));
    expect(records).toMatchObject([
      { ...who, operation: "/NSDomainGroupService/createNSDomainGroup" },
      { ...who, operation: "/NSDomainGroupService/updateNSDomainGroup" },
      { ...who, operation: "/NSDomainGroupService/deleteNSDomainGroup" },
    ]);
    expect(records.every(({ keyId }) => /^\w+\/\d+$/.test(keyId))).toBe(true);
    expect(records.map(changesIn)).toMatchObject([
      [{ table: "nsDomainGroups", id: Number(id), after: { name: "old" } }],
      [{ table: "nsDomainGroups", id: Number(id), before: { name: "old" }, after: { name: "new" } }],
      [{ table: "nsDomainGroups", id: Number(id), before: { state: 1 }, after: { state: 0 } }],
    ]);
  });

  test("has the installation's own request id, and that of the client beside it", async () => {
    const token = await edgehelm.token(ada);
    const create = (headers: Record<string, string>) =>
      edgehelm.fetch(
        new Request("http://edgehelm.test/NSDomainGroupService/createNSDomainGroup", {
          method: "POST",
          headers: { "x-cloud-access-token": token!, ...headers },
          body: JSON.stringify({ name: "named" }),
        }),
      );
    await create({ "x-request-id": "chosen" });
    await create({ "x-request-id": "chosen" });
    await create({});
    const records = await recordsOf(edgehelm, "createNSDomainGroup");
    expect(records.map(({ callerRequestId }) => callerRequestId)).toEqual(["chosen", "chosen", ""]);
    expect(new Set(records.map(({ requestId }) => requestId)).size).toBe(3);
    const [own] = records;
    await create({ "x-request-id": own!.requestId });
    expect((await recordsOf(edgehelm, "createNSDomainGroup")).at(-1)!.requestId).not.toBe(own!.requestId);
  });

  test("does not contain secrets", async () => {
    const { nsDomainId } = await edgehelm.call(root, NSDomainService.method.createNSDomain, {
      name: "secret.test",
      nsClusterId: 1n,
    });
    const secret = "unmistakable secret";
    await edgehelm.call(root, createNSKey, {
      nsDomainId,
      name: "a.secret.test",
      algo: "hmac-sha256.",
      secret,
      secretType: "clear",
    });
    const [record] = await recordsOf(edgehelm, "createNSKey");
    expect(changesIn(record!)).toMatchObject([{ table: "nsKeys", after: { secret: "(masked)" } }]);
    expect(JSON.stringify((await recordsOf(edgehelm)).map(({ changesJSON }) => changesJSON))).not.toContain(secret);
  });

  test("cannot be missing: without it the change is undone, and the response is an error", async () => {
    await refuseRecords("createNSDomainGroup");
    await expect(edgehelm.call(ada, createNSDomainGroup, { name: "unseen" })).rejects.toMatchObject({
      reason: "kernel.unavailable",
    });
    const { nsDomainGroups } = await edgehelm.call(ada, findAllNSDomainGroups, {});
    expect(nsDomainGroups).toEqual([]);
  });

  test("is missing for none of the changes that share a commit: without one of them all are undone", async () => {
    await refuseRecords("createNSDomainGroup");
    const createDomain = (name: string) =>
      edgehelm.call(root, NSDomainService.method.createNSDomain, { name, nsClusterId: 1n });
    const together = await Promise.allSettled([
      createDomain("first.test"),
      edgehelm.call(ada, createNSDomainGroup, { name: "unseen" }),
      createDomain("second.test"),
    ]);
    const recorded = (await recordsOf(edgehelm, "createNSDomain")).length;
    expect(recorded).toBe(together.filter(({ status }) => status === "fulfilled").length);
    await tamper(edgehelm, "drop trigger no_records");
    await createDomain("third.test");
    await edgehelm.call(ada, createNSDomainGroup, { name: "seen" });
    expect(await recordsOf(edgehelm, "createNSDomain")).toHaveLength(recorded + 1);
    expect(await runCommand(edgehelm, "audit verify")).toHaveLength(1);
  });
});

describe("the record of a secret that was read", () => {
  test.each(WIRES)("is written before the response over %s, once, and not for other reads", async (wire) => {
    const { nsDomainId } = await edgehelm.call(root, NSDomainService.method.createNSDomain, {
      name: "read.test",
      nsClusterId: 1n,
    });
    const { nsKeyId } = await edgehelm.call(root, createNSKey, {
      nsDomainId,
      name: "a.read.test",
      algo: "hmac-sha256.",
      secretType: "base64",
    });
    await edgehelm.call(root, findNSKey, { nsKeyId: 99n }, wire);
    expect(await recordsOf(edgehelm, "findNSKey")).toEqual([]);
    await edgehelm.call(root, findNSKey, { nsKeyId }, wire);
    expect(await recordsOf(edgehelm, "findNSKey"))
      .toMatchObject([{ role: "admin", callerId: 1n, objects: `NSKey/${nsKeyId}` }]);
    await refuseRecords("findNSKey");
    await expect(edgehelm.call(root, findNSKey, { nsKeyId }, wire)).rejects.toMatchObject({
      reason: "kernel.unavailable",
    });
  });
});
