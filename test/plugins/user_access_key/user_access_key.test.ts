import { as, testKernel } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { APIAccessTokenService } from "../../../plugins/api_access_token/proto/service_api_access_token_pb.ts";
import { UserAccessKeyService } from "../../../plugins/user_access_key/proto/service_user_access_key_pb.ts";
import { filesContaining } from "../../harness/files.ts";
import { ada, edgehelm, newKey, plugins, useKernel, users } from "./rig.ts";

const { createUserAccessKey, findAllEnabledUserAccessKeys, updateUserAccessKeyIsOn, deleteUserAccessKey } =
  UserAccessKeyService.method;
const { countAllEnabledUserAccessKeys } = UserAccessKeyService.method;
const { getAPIAccessToken } = APIAccessTokenService.method;
const bob = as.user(8n);

useKernel();

test("another user's key cannot be listed, turned off or deleted", async () => {
  const { userAccessKeyId } = await newKey();
  const notFound = { code: 404, reason: "user_access_key.not_found" };
  await expect(edgehelm.call(bob, deleteUserAccessKey, { userAccessKeyId })).rejects.toMatchObject(notFound);
  await expect(edgehelm.call(bob, updateUserAccessKeyIsOn, { userAccessKeyId })).rejects.toMatchObject(notFound);
  expect((await edgehelm.call(bob, findAllEnabledUserAccessKeys, { userId: 7n })).userAccessKeys).toEqual([]);
  expect((await edgehelm.call(bob, countAllEnabledUserAccessKeys, { userId: 7n })).count).toBe(0n);
});

test("an admin who sets no owner receives no keys", async () => {
  expect((await edgehelm.call(as.admin(), findAllEnabledUserAccessKeys, {})).userAccessKeys).toEqual([]);
});

describe("secrets at rest", () => {
  test("are not in the database files", async () => {
    const { accessKey } = await newKey();
    expect(filesContaining(edgehelm.directory, accessKey)).toEqual([]);
  });

  test("are returned in lists unless secretOnce is set", async () => {
    const { userAccessKeyId, accessKey } = await newKey();
    const { userAccessKeys } = await edgehelm.call(ada, findAllEnabledUserAccessKeys, {});
    expect(userAccessKeys.find(({ id }) => id === userAccessKeyId)?.secret).toBe(accessKey);

    await using once = await testKernel({ plugins, stubs: [users], config: { user_access_key: { secretOnce: true } } });
    const key = await once.call(ada, createUserAccessKey, {});
    const listed = await once.call(ada, findAllEnabledUserAccessKeys, {});
    expect(listed.userAccessKeys[0]?.secret).toBe("");
    const credential = { type: "user", accessKeyId: key.uniqueId, accessKey: key.secret };
    expect((await once.call(as.anonymous(), getAPIAccessToken, credential)).token).not.toBe("");
    const wrong = { ...credential, accessKey: `${key.secret}x` };
    await expect(once.call(as.anonymous(), getAPIAccessToken, wrong)).rejects.toMatchObject({ code: 401 });
  });
});
