import { as } from "edgehelm/testing";
import { expect, test } from "vitest";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import { edgehelm, newUser, PASSWORD, root, useKernel } from "./rig.ts";

const { findEnabledUser, listEnabledUsers, countAllEnabledUsers, loginUser } = UserService.method;
const { updateUserInfo, updateUserLogin } = UserService.method;
const { findUserFeatures, updateUserFeatures, updateAllUsersFeatures } = UserService.method;

useKernel();

test("a user can read and change only themselves, without the remark", async () => {
  const { userId } = await newUser({ remark: "pays late" });
  const { userId: other } = await newUser();
  const self = as.user(userId);
  const { user } = await edgehelm.call(self, findEnabledUser, { userId: other });
  expect(user).toMatchObject({ id: userId, remark: "" });
  await edgehelm.call(self, updateUserInfo, { userId: other, fullname: "Mine Only", email: "me@example.com" });
  expect((await edgehelm.call(root, findEnabledUser, { userId: other })).user?.fullname).toBe("A User");
  expect((await edgehelm.call(root, findEnabledUser, { userId })).user?.fullname).toBe("Mine Only");
  const change = { userId: other, username: "renamed.me", password: "a new password", oldPassword: PASSWORD };
  await edgehelm.call(self, updateUserLogin, change);
  const login = { username: "renamed.me", password: "a new password" };
  expect(await edgehelm.call(root, loginUser, login)).toMatchObject({ userId, isOk: true });
});

test("lists find a keyword in any field, escape wildcards, and return the newest first", async () => {
  const { userId: first } = await newUser({ fullname: "50% off" });
  const { userId: second } = await newUser({ remark: "also 50% off" });
  const { users } = await edgehelm.call(root, listEnabledUsers, { keyword: "0% O" });
  expect(users.map(({ id }) => id)).toEqual([second, first]);
  expect((await edgehelm.call(root, countAllEnabledUsers, { keyword: "0% o" })).count).toBe(2n);
  expect((await edgehelm.call(root, listEnabledUsers, { keyword: "5_%" })).users).toEqual([]);
  const { users: secondPage } = await edgehelm.call(root, listEnabledUsers, { size: 1n, offset: 1n });
  expect(secondPage.map(({ id }) => id)).toEqual([first]);
});

test("features are set for one user or for all, and unknown ones are refused", async () => {
  const { userId } = await newUser();
  await edgehelm.call(root, updateUserFeatures, { userId, featureCodes: ["ns"] });
  await edgehelm.call(root, updateAllUsersFeatures, { featureCodes: ["finance"] });
  const codes = async () =>
    (await edgehelm.call(as.user(userId), findUserFeatures, {})).features.map(({ code }) => code).sort();
  expect(await codes()).toEqual(["finance", "ns"]);
  await edgehelm.call(root, updateAllUsersFeatures, { featureCodes: ["plan"], overwrite: true });
  expect(await codes()).toEqual(["plan"]);
  await expect(edgehelm.call(root, updateUserFeatures, { userId, featureCodes: ["magic"] }))
    .rejects.toMatchObject({ code: 400, reason: "user.feature_unknown" });
});
