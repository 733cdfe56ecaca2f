import { as, type TestKernel } from "edgehelm/testing";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FileService } from "../../../plugins/file/proto/service_file_pb.ts";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { OriginService } from "../../../plugins/origin/proto/service_origin_pb.ts";
import { PlanService } from "../../../plugins/plan/proto/service_plan_pb.ts";
import { UserAccessKeyService } from "../../../plugins/user_access_key/proto/service_user_access_key_pb.ts";
import { root } from "../../rules/generated.ts";
import { admin, buyPlan, CREATE, declared, quotaKernel } from "./rig.ts";

const ada = as.user(1n);
const bob = as.user(2n);
const LIMITS = { ...Object.fromEntries(Object.keys(CREATE).map((name) => [name, 2])), fileBytes: 100 };

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await quotaKernel(LIMITS);
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

describe("finding 10: a user creates no more than its quotas allow", () => {
  test.each(Object.keys(CREATE))("%s", async (name) => {
    const create = CREATE[name]!;
    for (const index of [0, 1]) await create(edgehelm, ada, index);
    await expect(create(edgehelm, ada, 2)).rejects.toMatchObject({
      code: 429,
      reason: `user_quota.${name}`,
      message: `the quota "${name}" of user 1 allows 2: there are 2, and 1 more were requested`,
    });
    await create(edgehelm, admin, 2);
  });

  test("fileBytes", async () => {
    const create = (caller: typeof ada, size: bigint) =>
      edgehelm.call(caller, FileService.method.createFile, { filename: "big", size });
    await create(bob, 60n);
    await expect(create(bob, 41n)).rejects.toMatchObject({
      reason: "user_quota.fileBytes",
      message: 'the quota "fileBytes" of user 2 allows 100: there are 60, and 41 more were requested',
    });
    await create(bob, 40n);
    await create(admin, 2n ** 30n);
  });

  test("what was deleted no longer counts", async () => {
    const { method } = UserAccessKeyService;
    const keys = [];
    for (let index = 0; index < 2; index++) keys.push(await edgehelm.call(bob, method.createUserAccessKey, {}));
    await expect(CREATE.accessKeys!(edgehelm, bob, 2)).rejects.toMatchObject({ reason: "user_quota.accessKeys" });
    const { userAccessKeyId } = keys[0]!;
    await edgehelm.call(bob, method.deleteUserAccessKey, { userAccessKeyId });
    await edgehelm.call(bob, method.createUserAccessKey, {});
  });

  test("a call that creates several is refused as a whole", async () => {
    const names = ["one.bob.test", "two.bob.test", "three.bob.test"];
    await expect(edgehelm.call(bob, NSDomainService.method.createNSDomains, { names, nsClusterId: 1n }))
      .rejects.toMatchObject({ message: expect.stringContaining("allows 2: there are 0, and 3 more") });
    expect((await edgehelm.call(bob, NSDomainService.method.countAllNSDomains, {})).count).toBe(0n);
  });

  test("concurrent calls do not exceed a quota together", async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => CREATE.origins!(edgehelm, bob, 0)),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  });
});

describe("plans", () => {
  const createOrigin = (userId: bigint) => CREATE.origins!(edgehelm, as.user(userId), 0);

  test("set other quotas, the highest of which applies", async () => {
    await buyPlan(edgehelm, 2n, [{ name: "origins", max: 3 }, { name: "files", max: 1 }]);
    await createOrigin(2n);
    await expect(createOrigin(2n)).rejects.toMatchObject({ message: expect.stringContaining("allows 3: there are 3") });
    await buyPlan(edgehelm, 2n, [{ name: "origins", max: 4 }]);
    await createOrigin(2n);
    await expect(createOrigin(2n)).rejects.toMatchObject({ message: expect.stringContaining("allows 4: there are 4") });
    await buyPlan(edgehelm, 2n, [{ name: "origins", max: 0 }]);
    for (let index = 0; index < 3; index++) await createOrigin(2n);
    await expect(CREATE.files!(edgehelm, bob, 0)).rejects.toMatchObject({
      message: expect.stringContaining("allows 1"),
    });
  });

  test("keep their quotas unless they are replaced, and only with known names", async () => {
    const { createPlan, updatePlan, findEnabledPlan } = PlanService.method;
    const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
    const base = { name: "plan", priceType: "period" };
    const quotas = [{ name: "files", max: 7 }];
    const { planId } = await edgehelm.call(admin, createPlan, { ...base, quotasJSON: bytes(quotas) });
    const stored = async () =>
      JSON.parse(new TextDecoder().decode((await edgehelm.call(admin, findEnabledPlan, { planId })).plan!.quotasJSON!));
    await edgehelm.call(admin, updatePlan, { ...base, planId, isOn: true });
    expect(await stored()).toEqual(quotas);
    await edgehelm.call(admin, updatePlan, { ...base, planId, isOn: true, quotasJSON: bytes([]) });
    expect(await stored()).toEqual([]);
    for (
      const [wrong, text] of [
        [[{ name: "filez", max: 1 }], 'quotasJSON[0].name: quota "filez" does not exist; known quotas: accessKeys, '],
        [[{ name: "files", max: -1 }], "quotasJSON[0].max: must not be negative"],
        [[{ name: "files", max: 1 }, { name: "files", max: 2 }], 'quota "files" is listed twice'],
      ] as const
    ) {
      await expect(edgehelm.call(admin, createPlan, { ...base, quotasJSON: bytes(wrong) }))
        .rejects.toMatchObject({ code: 400, message: expect.stringContaining(text) });
    }
  });
});

describe("settings", () => {
  test("0 means no limit, and what is not set has its default", async () => {
    await using lenient = await quotaKernel({ accessKeys: 0 });
    for (let index = 0; index < 25; index++) await CREATE.accessKeys!(lenient, ada, index);
    const addr = { protocol: "http", host: "origin.example.com", portRange: "80" };
    for (let index = 0; index < 3; index++) await lenient.call(ada, OriginService.method.createOrigin, { addr });
  });

  test.each([[{ origin: 1 }, 'quota "origin" does not exist'], [{ origins: -1 }, "limits.origins: must not be"]])(
    "%j stops the start",
    async (limits, text) => {
      await expect(quotaKernel(limits)).rejects.toThrow(text);
    },
  );

  test("the table of the README holds every quota with its default", () => {
    const readme = readFileSync(`${root}plugins/user_quota/README.md`, "utf8");
    const rows = [...readme.matchAll(/^\| `(\w+)` +\| (\d+) +\|/gm)].map(([, name, max]) => [name, BigInt(max!)]);
    expect(rows).toEqual([...declared].sort());
    expect(Object.keys(LIMITS).sort()).toEqual([...declared.keys()].sort());
  });
});
