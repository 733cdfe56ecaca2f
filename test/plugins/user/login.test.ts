import { describe, expect, test } from "vitest";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import { edgehelm, newUser, PASSWORD, root, useKernel } from "./rig.ts";

const { listEnabledUsers, countAllEnabledUsers, loginUser, registerUser } = UserService.method;
const { updateUser, verifyUser, checkUserUsername, checkUserEmail } = UserService.method;
const { checkUserMobile } = UserService.method;

useKernel();

describe("registration and login", () => {
  test("a registered user awaits verification", async () => {
    const request = {
      username: "newcomer",
      password: PASSWORD,
      email: "new@example.com",
      mobile: "123",
      ip: "192.0.2.1",
    };
    const { userId } = await edgehelm.call(root, registerUser, request);
    expect((await edgehelm.call(root, countAllEnabledUsers, { isVerifying: true })).count).toBe(1n);
    const { users } = await edgehelm.call(root, listEnabledUsers, { isVerifying: true });
    expect(users).toMatchObject([{ id: userId, registeredIP: "192.0.2.1", isVerified: false }]);
    await edgehelm.call(root, verifyUser, { userId, isRejected: true, rejectReason: "unknown person" });
    expect((await edgehelm.call(root, loginUser, { username: "newcomer", password: PASSWORD })).isOk).toBe(false);
    await edgehelm.call(root, verifyUser, { userId });
    expect((await edgehelm.call(root, loginUser, { username: "newcomer", password: PASSWORD })).isOk).toBe(true);
  });

  test("a failed login does not reveal its cause", async () => {
    const { userId, username } = await newUser();
    const wrong = await edgehelm.call(root, loginUser, { username, password: "something else" });
    const unknown = await edgehelm.call(root, loginUser, { username: "unknown.user", password: PASSWORD });
    await edgehelm.call(root, updateUser, { userId, username, isOn: false });
    const off = await edgehelm.call(root, loginUser, { username, password: PASSWORD });
    expect(wrong.isOk).toBe(false);
    expect([unknown, off]).toEqual([wrong, wrong]);
  });

  test("the check operations find existing usernames, email addresses and mobile numbers", async () => {
    const { userId, username } = await newUser({ mobile: "555-1" });
    expect((await edgehelm.call(root, checkUserUsername, { username })).exists).toBe(true);
    expect((await edgehelm.call(root, checkUserUsername, { username, userId })).exists).toBe(false);
    expect((await edgehelm.call(root, checkUserEmail, { email: `${username}@EXAMPLE.com` })).exists).toBe(true);
    expect((await edgehelm.call(root, checkUserMobile, { mobile: "555-1" })).exists).toBe(true);
    expect((await edgehelm.call(root, checkUserMobile, { mobile: "" })).exists).toBe(false);
  });
});
