import { as, TestClock, type TestKernel } from "edgehelm/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createLogger } from "../../../../core/base/log.ts";
import { ChainedRecords } from "../../../../core/calls/audit/chained_records.ts";
import { NSDomainGroupService } from "../../../../plugins/ns_domain_group/proto/service_ns_domain_group_pb.ts";
import { auditedKernel, kernelDb, recordsOf, runCommand, tamper } from "./rig.ts";

const { createNSDomainGroup } = NSDomainGroupService.method;
const ada = as.user(7n);
const DAY = 86_400;

let clock: TestClock;
let edgehelm: TestKernel;
beforeEach(async () => {
  clock = new TestClock();
  edgehelm = await auditedKernel({ clock });
  for (let index = 0; index < 6; index++) await edgehelm.call(ada, createNSDomainGroup, { name: `group ${index}` });
});
afterEach(() => edgehelm[Symbol.asyncDispose]());

const verify = (...args: string[]) => runCommand(edgehelm, "audit verify", args);

describe("audit verify", () => {
  test("accepts the log of a server that works, also after calls that failed or ran together", async () => {
    const calls = Array.from(
      { length: 20 },
      (_, index) => edgehelm.call(ada, createNSDomainGroup, { name: index % 3 === 0 ? "" : `together ${index}` }),
    );
    await Promise.allSettled(calls);
    const records = await recordsOf(edgehelm);
    expect(records.map(({ id }) => id)).toEqual(records.map((_, index) => BigInt(index + 1)));
    expect(await verify()).toEqual([expect.stringContaining(`${records.length} records`)]);
  });

  const BROKEN: readonly [string, string[], RegExp][] = [
    ["edited", ["update kernel_audit set callerId = 8 where id = 3"], /record 3 was changed/],
    ["edited and hashed by the wrong rule", [
      "update kernel_audit set callerId = 8, hash = (select hash from kernel_audit where id = 2) where id = 3",
    ], /record 3 was changed/],
    ["deleted", ["delete from kernel_audit where id in (3, 4)"], /records 3 to 4 are missing/],
    ["deleted first", ["delete from kernel_audit where id = 1"], /record 1 is missing/],
    ["reordered", [
      "update kernel_audit set id = -3 where id = 3",
      "update kernel_audit set id = 3 where id = 4",
      "update kernel_audit set id = 4 where id = -3",
    ], /record 3 was changed/],
    ["emptied without a record", [
      "update kernel_audit set objects = '', changesJSON = '', erasedAt = 5 where id = 3",
    ], /the content of record 3 was deleted without a record/],
  ];
  test.each(BROKEN)("finds a record that was %s", async (_how, statements, error) => {
    await tamper(edgehelm, ...statements);
    await expect(verify()).rejects.toThrow(error);
  });

  test("finds a tail that was cut off, by the head of the last minute", async () => {
    await edgehelm.kernel.runJob("kernel.note_audit_head");
    await tamper(edgehelm, "delete from kernel_audit where id >= 5");
    await expect(verify()).rejects.toThrow(/was noted, but the chain ends before it/);
    await edgehelm.call(ada, createNSDomainGroup, { name: "after" });
    await edgehelm.call(ada, createNSDomainGroup, { name: "after 2" });
    await edgehelm.call(ada, createNSDomainGroup, { name: "after 3" });
    await expect(verify()).rejects.toThrow(/is another than the one that was noted/);
  });

  test("continues after the last record that is there, if later ones were rolled back or cut off", async () => {
    await tamper(edgehelm, "delete from kernel_audit where id >= 5");
    await edgehelm.call(ada, createNSDomainGroup, { name: "after" });
    await Promise.all(
      Array.from({ length: 3 }, (_, index) => edgehelm.call(ada, createNSDomainGroup, { name: `together ${index}` })),
    );
    const records = await recordsOf(edgehelm);
    expect(records.map(({ id }) => id)).toEqual(records.map((_, index) => BigInt(index + 1)));
    expect(await verify()).toEqual([expect.stringContaining(`${records.length} records`)]);
  });

  test("a record that cannot be stored fails its own change alone", async () => {
    const records = new ChainedRecords(kernelDb);
    const [first] = await recordsOf(edgehelm);
    const call = edgehelm.kernel.systemCall("test");
    const refused = call.transact((inner) => records.append(inner, { ...first!, objects: "nothing\0" }));
    const group = edgehelm.call(ada, createNSDomainGroup, { name: "beside" });
    await expect(refused).rejects.toThrow("must not contain a NUL character");
    await expect(group).resolves.toMatchObject({ nsDomainGroupId: expect.any(BigInt) });
    expect(await verify()).toHaveLength(1);
  });

  test("finds by a head from the log what one who has the database hid", async () => {
    const lines: string[] = [];
    await using logged = await auditedKernel({
      log: createLogger({ level: "info", write: (line) => lines.push(line), clock }),
    });
    await logged.call(ada, createNSDomainGroup, { name: "before" });
    await logged.kernel.runJob("kernel.note_audit_head");
    const { head } = lines.map((line) => JSON.parse(line)).findLast(({ head }) => head !== undefined);
    expect(await runCommand(logged, "audit verify", ["--head", head])).toHaveLength(1);
    await tamper(logged, "delete from kernel_audit", "delete from kernel_settings where name = 'audit_head'");
    expect(await runCommand(logged, "audit verify")).toEqual([expect.stringContaining("0 records")]);
    await expect(runCommand(logged, "audit verify", ["--head", head])).rejects.toThrow(/was noted/);
  });

  test("names a head that is none", async () => {
    await expect(verify("--head", "7:xyz")).rejects.toThrow(
      '--head must be <id>:<hash> as in the log line "audit head"',
    );
  });

  test("accepts records whose content a command deleted; the younger ones are guarded", async () => {
    const erase = (...ids: string[]) => runCommand(edgehelm, "audit erase", ids);
    clock.advance(90 * DAY - 10);
    await expect(erase("3")).rejects.toMatchObject({ reason: "audit.record_guarded" });
    clock.advance(11);
    await expect(erase("3", "99")).rejects.toMatchObject({ reason: "audit.record_not_found" });
    await expect(erase("x")).rejects.toThrow('must be a whole number above 0, got "x"');
    await expect(erase()).rejects.toThrow("1 to 1000 ids of records are required");
    expect(await erase("3", "4")).toEqual(["deleted the content of 2 audit records"]);
    const records = await recordsOf(edgehelm);
    expect(records[2]).toMatchObject({ operation: "", changesJSON: "", callerId: 0n, keyId: "" });
    expect(records.at(-1)).toMatchObject({ role: "system", operation: "audit erase" });
    expect(await verify()).toEqual([expect.stringContaining("2 of them without content")]);
    await tamper(edgehelm, "update kernel_audit set objects = '', changesJSON = '' where operation = 'audit erase'");
    await expect(verify()).rejects.toThrow(/was changed/);
  });

  test("accepts a log whose oldest records expired, and finds further ones missing", async () => {
    const newest = (await recordsOf(edgehelm)).at(-1)!.id;
    clock.advance(180 * DAY + 1);
    await edgehelm.call(ada, createNSDomainGroup, { name: "later" });
    await edgehelm.kernel.runJob("kernel.prune");
    const kept = await recordsOf(edgehelm);
    expect(kept[0]!.id).toBe(newest + 1n);
    expect(await verify()).toEqual([expect.stringContaining(`${kept.length} records`)]);
    await tamper(edgehelm, `delete from kernel_audit where id = ${newest + 1n}`);
    await expect(verify()).rejects.toThrow(/missing/);
  });
});
