import { as, testKernel } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { UserAccessKeyService } from "../../../plugins/user_access_key/proto/service_user_access_key_pb.ts";
import { ada, edgehelm, newKey, plugins, useKernel, usersOff } from "./rig.ts";

const { createUserAccessKey, findAllEnabledUserAccessKeys } = UserAccessKeyService.method;

useKernel();

describe("createUserAccessKey", () => {
  test("creates a user's key for that user, regardless of the owner in the request", async () => {
    const { userAccessKeyId } = await edgehelm.call(ada, createUserAccessKey, { userId: 8n, adminId: 1n });
    const { userAccessKeys } = await edgehelm.call(ada, findAllEnabledUserAccessKeys, {});
    expect(userAccessKeys[0]).toMatchObject({ id: userAccessKeyId, userId: 7n, isOn: true });
  });

  test("generates an id of 16 and a secret of 32 letters and digits", async () => {
    const key = await newKey();
    expect(key.accessKeyId).toMatch(/^[A-Za-z0-9]{16}$/);
    expect(key.accessKey).toMatch(/^[A-Za-z0-9]{32}$/);
  });

  test.each([
    ["no owner", {}, "exactly one"],
    ["two owners", { userId: 7n, adminId: 1n }, "exactly one"],
    ["an admin who does not exist", { adminId: 99n }, "admin 99"],
    ["a user who is turned off", { userId: 66n }, "user 66"],
  ])("refuses an admin's request that names %s", async (_case, owner, message) => {
    usersOff.add(66n);
    await expect(edgehelm.call(as.admin(), createUserAccessKey, owner))
      .rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });
});

test("a key for a user is refused if the plugin user is not enabled", async () => {
  await using alone = await testKernel({ plugins });
  await expect(alone.call(as.admin(), createUserAccessKey, { userId: 7n }))
    .rejects.toMatchObject({ code: 400, reason: "user_access_key.user_missing" });
});
