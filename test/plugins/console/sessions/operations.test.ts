import { as } from "edgehelm/testing";
import { expect, test } from "vitest";
import { ConsoleSessionService } from "../../../../plugins/console/proto/service_console_session_pb.ts";
import { AdminService } from "../../../../plugins/admin/proto/service_admin_pb.ts";
import { clock, codeWith, edgehelm, newAdmin, newUser, root, signIn, useKernel } from "./sessions_rig.ts";

const { countConsoleSessions, listConsoleSessions, findConsoleSession, deleteConsoleSession } =
  ConsoleSessionService.method;

useKernel();

test("a super admin sees the sessions of a person, newest first, and ends one with its tokens", async () => {
  const { userId, username } = await newUser();
  const [first, second] = [await signIn("user", username), await signIn("user", username)];
  const { consoleSessions } = await edgehelm.call(root, listConsoleSessions, { userId });
  expect(consoleSessions).toHaveLength(2);
  expect(consoleSessions[0]).toMatchObject({ username, type: "user", userId, adminId: 0n, isOfKey: false });
  expect(consoleSessions[0]!.id).toBeGreaterThan(consoleSessions[1]!.id);
  expect((await edgehelm.call(root, countConsoleSessions, { userId })).count).toBe(2n);
  const page = await edgehelm.call(root, listConsoleSessions, { userId, offset: 1n, size: 1n });
  expect(page.consoleSessions).toEqual([consoleSessions[1]]);

  const { id } = consoleSessions[1]!;
  await edgehelm.call(root, deleteConsoleSession, { consoleSessionId: id });
  expect([await codeWith(first), await codeWith(second)]).toEqual([401, 200]);
  expect((await edgehelm.call(root, findConsoleSession, { consoleSessionId: id })).consoleSession).toBeUndefined();
  await expect(edgehelm.call(root, deleteConsoleSession, { consoleSessionId: id }))
    .rejects.toMatchObject({ reason: "console.session_missing" });
});

test("sessions of an admin and of a user with the same id stay apart, and those that ended are left out", async () => {
  const [{ adminId, username }, { userId, username: other }] = [await newAdmin(), await newUser()];
  await signIn("admin", username);
  await signIn("user", other);
  const ofAdmin = await edgehelm.call(root, listConsoleSessions, { adminId });
  expect(ofAdmin.consoleSessions.map(({ username }) => username)).toEqual([username]);
  const ofUser = await edgehelm.call(root, listConsoleSessions, { userId });
  expect(ofUser.consoleSessions.map(({ username }) => username)).toEqual([other]);
  const all = await edgehelm.call(root, listConsoleSessions, {});
  expect(all.consoleSessions.map(({ username }) => username).slice(0, 2)).toEqual([other, username]);
  await expect(edgehelm.call(root, listConsoleSessions, { adminId, userId }))
    .rejects.toThrow("userId: must be 0 if adminId is set");
  const { id } = ofAdmin.consoleSessions[0]!;
  clock.advance(31 * 60);
  expect((await edgehelm.call(root, countConsoleSessions, { adminId })).count).toBe(0n);
  expect((await edgehelm.call(root, findConsoleSession, { consoleSessionId: id })).consoleSession).toBeUndefined();
});

test("neither users nor other admins see or end sessions of others", async () => {
  const { userId, username } = await newUser();
  const asked = await signIn("user", username);
  const { consoleSessions: [session] } = await edgehelm.call(root, listConsoleSessions, { userId });
  const { adminId } = await edgehelm.call(root, AdminService.method.createAdmin, {
    ...{ username: "some.modules", fullname: "Some", password: "correct horse battery", canLogin: true },
    modulesJSON: new TextEncoder().encode('[{"code": "user"}, {"code": "admin"}]'),
  });
  for (const caller of [as.user(userId), as.admin(adminId)]) {
    await expect(edgehelm.call(caller, listConsoleSessions, { userId })).rejects.toMatchObject({ code: 403 });
    await expect(edgehelm.call(caller, deleteConsoleSession, { consoleSessionId: session!.id }))
      .rejects.toMatchObject({ code: 403 });
  }
  expect(await codeWith(asked)).toBe(200);
});
