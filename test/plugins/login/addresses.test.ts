import { as, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import admin from "../../../plugins/admin/plugin.ts";
import { AdminService } from "../../../plugins/admin/proto/service_admin_pb.ts";
import plugin from "../../../plugins/login/plugin.ts";
import user from "../../../plugins/user/plugin.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import { emittedBy } from "../../core/events/emitted.ts";

const root = as.admin();
const PASSWORD = "correct horse battery";

let edgehelm: TestKernel;
let clock: TestClock;
let people = 0;
beforeAll(async () => {
  clock = new TestClock();
  edgehelm = await testKernel({ plugins: [plugin, admin, user], clock });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

/** Creates a user, and returns how this user signs in from an address and what the events of that were. */
async function newUser() {
  const username = `person${++people}`;
  const request = { username, password: PASSWORD, fullname: "A Person", email: `${username}@example.com` };
  const { userId } = await edgehelm.call(root, UserService.method.createUser, request);
  return {
    userId,
    username,
    signIn: async (ip: string, password = PASSWORD) => {
      clock.advance(60);
      return await edgehelm.call(root, UserService.method.loginUser, { username, password, ip });
    },
    addresses: async () =>
      (await emittedBy(edgehelm, "login")).filter((event) => event.userId === userId)
        .map(({ data }) => (data as { address: string }).address),
  };
}

test("a sign-in from a new address is an event for the user, but not the first one, a wrong one or a known one", async () => {
  const { signIn, addresses } = await newUser();
  await signIn("192.0.2.1");
  expect(await addresses()).toEqual([]);
  await signIn("192.0.2.2", "wrong password");
  expect(await addresses()).toEqual([]);
  await signIn("192.0.2.2");
  expect(await addresses()).toEqual(["192.0.2.2"]);
  for (const known of ["192.0.2.2", "192.0.2.1", ""]) await signIn(known);
  expect(await addresses()).toEqual(["192.0.2.2"]);
});

test("the addresses of one IPv6 network are one", async () => {
  const { signIn, addresses } = await newUser();
  for (const ip of ["192.0.2.1", "2001:db8:1:2::7", "2001:db8:1:2:3::8", "2001:db8:1:3::7"]) await signIn(ip);
  expect(await addresses()).toEqual(["2001:db8:1:2::7", "2001:db8:1:3::7"]);
});

test("the last 20 addresses are known", async () => {
  const { signIn, addresses } = await newUser();
  for (let host = 1; host <= 20; host++) await signIn(`198.51.100.${host}`);
  await signIn("198.51.100.1");
  expect(await addresses()).toHaveLength(19);
  await signIn("198.51.100.21");
  await signIn("198.51.100.1");
  expect(await addresses()).toHaveLength(20);
  await signIn("198.51.100.2");
  expect((await addresses()).at(-1)).toBe("198.51.100.2");
  expect(await addresses()).toHaveLength(21);
});

test("an admin who signs in from a new address is an event for the admins of admins", async () => {
  const request = { username: "grace", password: PASSWORD, fullname: "Grace", isSuper: false, canLogin: true };
  const { adminId } = await edgehelm.call(root, AdminService.method.createAdmin, request);
  const signIn = (ip: string) =>
    edgehelm.call(root, AdminService.method.loginAdmin, { username: "grace", password: PASSWORD, ip });
  for (const ip of ["192.0.2.1", "192.0.2.9", "192.0.2.9"]) expect(await signIn(ip)).toMatchObject({ isOk: true });
  const events = (await emittedBy(edgehelm, "login")).filter(({ name }) => name === "login.admin_from_new_address");
  expect(events.map(({ data }) => data)).toEqual([{ adminId: String(adminId), address: "192.0.2.9" }]);
});
