import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { APIAccessTokenService } from "../../../plugins/api_access_token/proto/service_api_access_token_pb.ts";
import { UserAccessKeyService } from "../../../plugins/user_access_key/proto/service_user_access_key_pb.ts";
import { ada, edgehelm, newKey, useKernel, usersOff } from "./rig.ts";

const { createUserAccessKey, findAllEnabledUserAccessKeys, updateUserAccessKeyIsOn, deleteUserAccessKey } =
  UserAccessKeyService.method;

const { getAPIAccessToken } = APIAccessTokenService.method;

useKernel();

test("a user can never obtain an admin's key", async () => {
  const key = await edgehelm.call(ada, createUserAccessKey, { adminId: 1n });
  const credential = { type: "admin", accessKeyId: key.uniqueId, accessKey: key.secret };
  await expect(edgehelm.call(as.anonymous(), getAPIAccessToken, credential)).rejects.toMatchObject({ code: 401 });
  const ofAdmin = await edgehelm.call(as.admin(), findAllEnabledUserAccessKeys, { adminId: 1n });
  expect(ofAdmin.userAccessKeys.map(({ id }) => id)).not.toContain(key.userAccessKeyId);
  const found = await edgehelm.call(ada, findAllEnabledUserAccessKeys, { adminId: 1n });
  expect(found.userAccessKeys.every(({ userId }) => userId === 7n)).toBe(true);
});

describe("a token", () => {
  test("is refused with the same response for every invalid credential", async () => {
    const { accessKeyId, accessKey } = await newKey();
    const off = await newKey();
    await edgehelm.call(ada, updateUserAccessKeyIsOn, { userAccessKeyId: off.userAccessKeyId, isOn: false });
    const deleted = await newKey();
    await edgehelm.call(ada, deleteUserAccessKey, { userAccessKeyId: deleted.userAccessKeyId });
    const ownerOff = await newKey(as.user(77n));
    usersOff.add(77n);
    const invalidCredentials = [
      { type: "user", accessKeyId: "unknown000000000", accessKey },
      { type: "user", accessKeyId, accessKey: `${accessKey}x` },
      { type: "user", accessKeyId, accessKey: "" },
      { type: "admin", accessKeyId, accessKey },
      { type: "user", accessKeyId: off.accessKeyId, accessKey: off.accessKey },
      { type: "user", accessKeyId: deleted.accessKeyId, accessKey: deleted.accessKey },
      { type: "user", accessKeyId: ownerOff.accessKeyId, accessKey: ownerOff.accessKey },
    ];
    for (const credential of invalidCredentials) {
      const { requestId: _, ...response } = await edgehelm.post("/APIAccessTokenService/getAPIAccessToken", credential);
      expect(response).toEqual({
        status: 200,
        code: 401,
        data: {},
        message: "access key not found: no access token for this id, secret and type",
        reason: "access_token.refused",
      });
    }
  });
});
