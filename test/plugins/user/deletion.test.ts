import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { NSDomainGroupService } from "../../../plugins/ns_domain_group/proto/service_ns_domain_group_pb.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import { REMOVAL_BATCH_SIZE, removeDeletedUsers } from "../../../plugins/user/removal.ts";
import type { UserChanges } from "../../../plugins/user/store_changes.ts";
import { edgehelm, newUser, root, useKernel } from "./rig.ts";

const { deleteUser, findEnabledUser } = UserService.method;

useKernel();

describe("deleteUser", () => {
  const { createNSDomainGroup, findAllNSDomainGroups } = NSDomainGroupService.method;

  test("marks the user as deleted and refuses a missing user", async () => {
    const { userId } = await newUser();
    await edgehelm.call(root, deleteUser, { userId });
    expect((await edgehelm.call(root, findEnabledUser, { userId })).user).toBeUndefined();
    await expect(edgehelm.call(root, deleteUser, { userId })).rejects.toMatchObject({ reason: "user.not_found" });
  });

  test("objects of the user are deleted in the background", async () => {
    const { userId } = await newUser();
    await edgehelm.call(as.user(userId), createNSDomainGroup, { name: "shops" });
    await edgehelm.call(root, deleteUser, { userId });
    await edgehelm.kernel.runJob("user.remove_deleted");
    expect((await edgehelm.call(root, findAllNSDomainGroups, { userId })).nsDomainGroups).toEqual([]);
  });

  test("an interrupted removal resumes", async () => {
    const pending = [7n];
    const remaining = new Map([["domains", REMOVAL_BATCH_SIZE + 1], ["keys", 3]]);
    let failures = 1;
    const removals = [...remaining.keys()].map((name) => ({
      removeSome: (_call: unknown, _userId: bigint, limit: number) => {
        const removed = Math.min(limit, remaining.get(name)!);
        if (removed < limit && failures-- > 0) return Promise.reject(new Error("killed"));
        remaining.set(name, remaining.get(name)! - removed);
        return Promise.resolve(removed);
      },
    }));
    const changes = {
      nextRemoval: { first: () => Promise.resolve(pending[0] === undefined ? undefined : { userId: pending[0] }) },
      endRemoval: { run: () => Promise.resolve(void pending.shift()) },
    } as unknown as UserChanges;
    const call = edgehelm.kernel.systemCall("test");
    await expect(removeDeletedUsers(call, changes, removals)).rejects.toThrow("killed");
    expect([pending, remaining.get("domains")]).toEqual([[7n], 1]);
    await removeDeletedUsers(call, changes, removals);
    expect([pending, [...remaining.values()]]).toEqual([[], [0, 0]]);
  });
});
