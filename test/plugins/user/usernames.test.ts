import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import { edgehelm, newUser, PASSWORD, root, useKernel } from "./rig.ts";

const { updateUserLogin, checkUserUsername, findEnabledUser } = UserService.method;

useKernel();

describe("finding 13: no user can find out which usernames exist", () => {
  test("a user who tries taken usernames gets an error that no longer tells them from free ones", async () => {
    const { userId } = await newUser();
    const { username: taken } = await newUser();
    const self = as.user(userId);
    const outcomes = new Set<string>();
    for (let index = 0; index < 20; index++) {
      const error = await edgehelm.call(self, updateUserLogin, { username: taken, oldPassword: PASSWORD }).catch((
        error,
      ) => error);
      outcomes.add(error.reason);
    }
    expect([...outcomes]).toEqual(["user.username_taken", "kernel.too_many_attempts"]);
    for (const username of [taken, "is.free"]) {
      await expect(edgehelm.call(self, updateUserLogin, { username, oldPassword: PASSWORD }))
        .rejects.toMatchObject({ code: 429, reason: "kernel.too_many_attempts" });
    }
    const { user } = await edgehelm.call(self, findEnabledUser, {});
    expect(user?.username).not.toBe("is.free");
  });

  test("one user's attempts do not keep another from a new name", async () => {
    const { userId } = await newUser();
    await edgehelm.call(as.user(userId), updateUserLogin, { username: "another.name", oldPassword: PASSWORD });
    await edgehelm.call(as.user(userId), updateUserLogin, { username: "another.name", oldPassword: PASSWORD });
  });

  test("admins ask without a budget, and users may not ask at all", async () => {
    const { userId } = await newUser();
    const { username } = await newUser();
    for (let index = 0; index < 30; index++) {
      await expect(edgehelm.call(root, updateUserLogin, { userId, username }))
        .rejects.toMatchObject({ code: 409, reason: "user.username_taken" });
      expect((await edgehelm.call(root, checkUserUsername, { username })).exists).toBe(true);
    }
    await expect(edgehelm.call(as.user(userId), checkUserUsername, { username })).rejects.toMatchObject({ code: 403 });
  });
});
