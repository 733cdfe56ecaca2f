import { as, stub, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll } from "vitest";
import admin from "../../../plugins/admin/plugin.ts";
import apiAccessToken from "../../../plugins/api_access_token/plugin.ts";
import helloWorld from "../../../plugins/hello_world/plugin.ts";
import { Users } from "../../../plugins/user/contract.ts";
import userAccessKey from "../../../plugins/user_access_key/plugin.ts";
import { UserAccessKeyService } from "../../../plugins/user_access_key/proto/service_user_access_key_pb.ts";

const { createUserAccessKey } = UserAccessKeyService.method;

export const ada = as.user(7n);
export const plugins = [admin, apiAccessToken, helloWorld, userAccessKey];
export const usersOff = new Set<bigint>();
export const users = stub(Users, { isLive: (_call, id) => Promise.resolve(!usersOff.has(id)) });

export let edgehelm: TestKernel;

/** Opens the kernel before the tests of a file, and closes it after them. */
export function useKernel(): void {
  beforeAll(async () => {
    edgehelm = await testKernel({ plugins, stubs: [users] });
  });
  afterAll(() => edgehelm[Symbol.asyncDispose]());
}

export async function newKey(
  caller = ada,
): Promise<{ userAccessKeyId: bigint; accessKeyId: string; accessKey: string }> {
  const key = await edgehelm.call(caller, createUserAccessKey, { description: "test" });
  return { userAccessKeyId: key.userAccessKeyId, accessKeyId: key.uniqueId, accessKey: key.secret };
}
