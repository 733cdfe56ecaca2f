import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import plugin from "../../../plugins/ns_domain_group/plugin.ts";
import { NSDomainGroupService } from "../../../plugins/ns_domain_group/proto/service_ns_domain_group_pb.ts";

const { createNSDomainGroup, deleteNSDomainGroup, findNSDomainGroup, findAllNSDomainGroups, updateNSDomainGroup } =
  NSDomainGroupService.method;
const ada = as.user(7n);
const bob = as.user(8n);

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

describe("createNSDomainGroup", () => {
  test("creates a group that belongs to the calling user", async () => {
    const { nsDomainGroupId } = await edgehelm.call(ada, createNSDomainGroup, { name: " shops " });
    const { nsDomainGroup } = await edgehelm.call(ada, findNSDomainGroup, { nsDomainGroupId });
    expect(nsDomainGroup).toMatchObject({ id: nsDomainGroupId, name: "shops", isOn: true, userId: 7n });
  });

  test("refuses an empty name", async () => {
    await expect(edgehelm.call(ada, createNSDomainGroup, { name: " " }))
      .rejects.toMatchObject({ code: 400, message: "name: must not be empty" });
  });
});

test("the group of another user is not found and cannot be changed", async () => {
  const { nsDomainGroupId } = await edgehelm.call(ada, createNSDomainGroup, { name: "hers" });
  expect((await edgehelm.call(bob, findNSDomainGroup, { nsDomainGroupId })).nsDomainGroup).toBeUndefined();
  const refused = { code: 404, reason: "ns_domain_group.not_found" };
  const update = edgehelm.call(bob, updateNSDomainGroup, { nsDomainGroupId, name: "his" });
  await expect(update).rejects.toMatchObject(refused);
  await expect(edgehelm.call(bob, deleteNSDomainGroup, { nsDomainGroupId })).rejects.toMatchObject(refused);
  const { nsDomainGroups } = await edgehelm.call(bob, findAllNSDomainGroups, { userId: 7n });
  expect(nsDomainGroups).toEqual([]);
});

test.each(["http", "connect", "grpcweb"] as const)("updates, lists and deletes over %s", async (wire) => {
  const { nsDomainGroupId } = await edgehelm.call(ada, createNSDomainGroup, { name: "old" }, wire);
  await edgehelm.call(ada, updateNSDomainGroup, { nsDomainGroupId, name: "new", isOn: false }, wire);
  const { nsDomainGroups } = await edgehelm.call(ada, findAllNSDomainGroups, {}, wire);
  expect(nsDomainGroups[0]).toMatchObject({ id: nsDomainGroupId, name: "new", isOn: false });
  await edgehelm.call(ada, deleteNSDomainGroup, { nsDomainGroupId }, wire);
  await expect(edgehelm.call(ada, deleteNSDomainGroup, { nsDomainGroupId }, wire)).rejects.toMatchObject({ code: 404 });
});
