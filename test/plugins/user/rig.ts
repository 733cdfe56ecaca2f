import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll } from "vitest";
import group from "../../../plugins/ns_domain_group/plugin.ts";
import plugin from "../../../plugins/user/plugin.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";

const { createUser } = UserService.method;

export const root = as.admin();
export const PASSWORD = "correct horse battery";

export let edgehelm: TestKernel;

/** Opens the kernel before the tests of a file, and closes it after them. */
export function useKernel(): void {
  beforeAll(async () => {
    edgehelm = await testKernel({ plugins: [plugin, group] });
  });
  afterAll(() => edgehelm[Symbol.asyncDispose]());
}

let userCount = 0;
export async function newUser(fields: Record<string, string> = {}): Promise<{ userId: bigint; username: string }> {
  const username = fields["username"] ?? `user${++userCount}`;
  const request = { username, password: PASSWORD, fullname: "A User", email: `${username}@example.com`, ...fields };
  const { userId } = await edgehelm.call(root, createUser, request);
  return { userId, username };
}
