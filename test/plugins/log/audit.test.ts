import { as, TestClock, type TestKernel } from "edgehelm/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CREATE_LOG, FIRST_AUDIT_ID } from "../../../plugins/log/audit.ts";
import plugin from "../../../plugins/log/plugin.ts";
import { LogService } from "../../../plugins/log/proto/service_log_pb.ts";
import { NSDomainGroupService } from "../../../plugins/ns_domain_group/proto/service_ns_domain_group_pb.ts";
import keys from "../../../plugins/ns_key/plugin.ts";
import { WIRES } from "../../harness/wire.ts";
import { recordsOf, runCommand, tamper } from "../../core/calls/audit/rig.ts";
import { domainKernel } from "../ns_domain/rig.ts";

const rpc = LogService.method;
const { createNSDomainGroup, updateNSDomainGroup } = NSDomainGroupService.method;
const root = as.admin(1n);
/** An admin with the module of logs, who is no super admin. */
const auditor = as.admin(2n);
const ada = as.user(7n);
const DAY = 86_400;

let clock: TestClock;
let edgehelm: TestKernel;
beforeEach(async () => {
  clock = new TestClock();
  edgehelm = await domainKernel({ plugins: [plugin, keys], clock, admins: { 2: ["log"], 9: ["common"] } });
});
afterEach(() => edgehelm[Symbol.asyncDispose]());

const write = (description: string) => edgehelm.call(root, rpc.createLog, { level: "info", description });
const change = async (name: string) => {
  const { nsDomainGroupId } = await edgehelm.call(ada, createNSDomainGroup, { name });
  return nsDomainGroupId;
};
const list = async (request = {}) => (await edgehelm.call(root, rpc.listLogs, request)).logs;
const changes = async () => (await list({ source: "audit", keyword: "createNSDomainGroup" })).map(({ id }) => id);
const hashes = async () => (await recordsOf(edgehelm)).map(({ hash }) => hash);

describe("the list", () => {
  test.each(WIRES)("has both sources over %s, newest first, also for an admin with the module", async (wire) => {
    await write("first");
    clock.advance(1);
    const id = await change("second");
    clock.advance(1);
    await write("third");
    const { logs } = await edgehelm.call(auditor, rpc.listLogs, {}, wire);
    expect(logs.filter(({ description }) => description !== "token").slice(0, 3)).toMatchObject([
      { source: "log", description: "third", type: "admin", adminId: 1n },
      {
        source: "audit",
        description: `nsDomainGroups/${id}`,
        action: "/NSDomainGroupService/createNSDomainGroup",
        type: "user",
        userId: 7n,
        adminId: 0n,
        level: "info",
      },
      { source: "log", description: "first" },
    ]);
    expect(logs.filter(({ action }) => action === CREATE_LOG)).toEqual([]);
    await expect(edgehelm.call(ada, rpc.listLogs, {}, wire)).rejects.toMatchObject({ code: 403 });
    await expect(edgehelm.call(as.admin(9n), rpc.listLogs, {}, wire)).rejects.toMatchObject({ code: 403 });
  });

  test("has each item on one page, whatever the size and however the sources alternate", async () => {
    for (let index = 0; index < 12; index++) {
      if (index % 3 > 0) await write(`log ${index}`);
      if (index % 2 === 0) await change(`change ${index}`);
      if (index % 4 === 0) clock.advance(1);
    }
    const all = await list({ size: 1000n });
    expect((await edgehelm.call(root, rpc.countLogs, {})).count).toBe(BigInt(all.length));
    expect(all.map(({ createdAt }) => createdAt)).toEqual(
      all.map(({ createdAt }) => createdAt).sort((one, other) => Number(other - one)),
    );
    for (const size of [1n, 2n, 5n]) {
      const paged: bigint[] = [];
      for (let offset = 0n; offset < all.length; offset += size) {
        paged.push(...(await list({ offset, size })).map(({ id }) => id));
      }
      expect(paged).toEqual(all.map(({ id }) => id));
    }
  });

  test("applies each filter to audit records", async () => {
    const id = await change("old");
    clock.advance(2 * DAY);
    await edgehelm.call(ada, updateNSDomainGroup, { nsDomainGroupId: id, name: "new", isOn: true });
    await tamper(edgehelm, "update kernel_audit set code = 403 where operation like '%/updateNSDomainGroup'");
    const found = async (request: object) => {
      const filter = { source: "audit", ...request };
      const items = await list(filter);
      expect((await edgehelm.call(root, rpc.countLogs, filter)).count).toBe(BigInt(items.length));
      return items.map(({ action }) => action.split("/").at(-1)).filter((name) => name?.includes("Group"));
    };
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    expect(await found({})).toEqual(["updateNSDomainGroup", "createNSDomainGroup"]);
    expect(await found({ userType: "user", level: "warn" })).toEqual(["updateNSDomainGroup"]);
    expect(await found({ userType: "admin" })).toEqual([]);
    expect(await found({ dayFrom: day })).toEqual(["updateNSDomainGroup"]);
    expect(await found({ dayTo: "2001-01-01" })).toEqual([]);
    expect(await found({ keyword: "CREATENSDomain" })).toEqual(["createNSDomainGroup"]);
    expect(await found({ keyword: `nsDomainGroups/${id}` })).toHaveLength(2);
    expect(await found({ keyword: "%" })).toEqual([]);
    await expect(list({ source: "other" })).rejects.toMatchObject({ code: 400, message: /^source: must be one of/ });
  });

  test("shows one record with the rows before and after", async () => {
    const id = await change("old");
    await edgehelm.call(ada, updateNSDomainGroup, { nsDomainGroupId: id, name: "new", isOn: true });
    const [newest] = await list({ source: "audit", keyword: "updateNSDomainGroup" });
    const found = await edgehelm.call(auditor, rpc.findLog, { logId: newest!.id });
    expect(found).toMatchObject({ log: { source: "audit", userId: 7n }, code: 200, objects: [`nsDomainGroups/${id}`] });
    expect(found.requestId).not.toBe("");
    expect(JSON.parse(new TextDecoder().decode(found.changesJSON))).toMatchObject([
      { table: "nsDomainGroups", before: { name: "old" }, after: { name: "new" } },
    ]);
    await write("of a console");
    const [own] = await list({ source: "log" });
    expect(await edgehelm.call(root, rpc.findLog, { logId: own!.id })).toMatchObject({ log: own, hash: "" });
    for (const logId of [999n, FIRST_AUDIT_ID + 999n]) {
      await expect(edgehelm.call(root, rpc.findLog, { logId })).rejects.toMatchObject({ reason: "log.not_found" });
    }
  });
});

describe.each(WIRES)("deleting over %s", (wire) => {
  const remove = (logId: bigint) => edgehelm.call(root, rpc.deleteLogPermanently, { logId }, wire);

  test("is refused inside the guarded retention, and then keeps the hash", async () => {
    await change("seen");
    const [id] = await changes();
    clock.advance(90 * DAY - 10);
    await expect(remove(id!)).rejects.toMatchObject({ code: 409, reason: "log.audit_kept" });
    await expect(edgehelm.call(root, rpc.deleteLogsPermanently, { logIds: [id!] }, wire))
      .rejects.toMatchObject({ reason: "log.audit_kept" });
    expect((await edgehelm.call(root, rpc.findLog, { logId: id! })).isErased).toBe(false);
    clock.advance(11);
    const before = await hashes();
    await remove(id!);
    expect((await hashes()).slice(0, before.length)).toEqual(before);
    expect(await edgehelm.call(root, rpc.findLog, { logId: id! })).toMatchObject({ isErased: true, objects: [] });
    expect((await recordsOf(edgehelm)).at(-1)).toMatchObject({
      operation: "/LogService/deleteLogPermanently",
      changesJSON: `{"erased":["${id! - FIRST_AUDIT_ID}"]}`,
    });
    expect(await runCommand(edgehelm, "audit verify")).toEqual([expect.stringContaining("1 of them without content")]);
    const record = (await list({ source: "audit", keyword: "deleteLogPermanently" }))[0]!;
    clock.advance(91 * DAY);
    await expect(remove(record.id)).rejects.toMatchObject({ reason: "log.audit_kept" });
    await expect(remove(FIRST_AUDIT_ID + 999n)).rejects.toMatchObject({ reason: "log.not_found" });
  });

  test("of logs together with records records both", async () => {
    await write("a log");
    await change("a change");
    const [log] = await list({ source: "log" });
    const [record] = await changes();
    clock.advance(91 * DAY);
    await edgehelm.call(root, rpc.deleteLogsPermanently, { logIds: [log!.id, record!, FIRST_AUDIT_ID + 999n] }, wire);
    const written = await recordsOf(edgehelm, "deleteLogsPermanently");
    expect(written.map(({ objects }) => objects)).toEqual(["kernel_audit", `logs/${log!.id}`]);
    expect(await runCommand(edgehelm, "audit verify")).toHaveLength(1);
  });

  test("of all logs leaves the guarded records, and those that say what was deleted", async () => {
    await change("old");
    clock.advance(91 * DAY);
    await change("young");
    const [young, old] = await changes();
    await edgehelm.call(root, rpc.cleanLogsPermanently, { clearAll: true }, wire);
    const isErased = async (logId: bigint) => (await edgehelm.call(root, rpc.findLog, { logId })).isErased;
    expect([await isErased(young!), await isErased(old!)]).toEqual([false, true]);
    clock.advance(50 * DAY);
    await edgehelm.call(root, rpc.cleanLogsPermanently, { days: 1 }, wire);
    expect(await isErased(young!)).toBe(false);
    clock.advance(50 * DAY);
    await edgehelm.call(root, rpc.cleanLogsPermanently, { days: 1 }, wire);
    expect(await isErased(young!)).toBe(true);
    expect(await runCommand(edgehelm, "audit verify")).toHaveLength(1);
  });
});
