import { as, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { APIAccessTokenService } from "../../../plugins/api_access_token/proto/service_api_access_token_pb.ts";
import { UserAccessKeyService } from "../../../plugins/user_access_key/proto/service_user_access_key_pb.ts";
import { database } from "../../../core/storage/database.ts";
import { KERNEL_SCOPE, type KernelTables } from "../../../core/storage/kernel_tables.ts";
import { ada, plugins, users } from "./rig.ts";

const { createUserAccessKey, findAllEnabledUserAccessKeys } = UserAccessKeyService.method;
const { getAPIAccessToken } = APIAccessTokenService.method;
const root = as.admin();

let clock: TestClock;
let edgehelm: TestKernel;
beforeEach(async () => {
  clock = new TestClock();
  edgehelm = await testKernel({ plugins, stubs: [users], clock });
});
afterEach(() => edgehelm[Symbol.asyncDispose]());

const newKey = () => edgehelm.call(ada, createUserAccessKey, {});

async function secretSeenBy(caller: typeof ada): Promise<string | undefined> {
  const { userAccessKeys } = await edgehelm.call(caller, findAllEnabledUserAccessKeys, { userId: 7n });
  return userAccessKeys[0]?.secret;
}

function exchange({ uniqueId, secret }: { uniqueId: string; secret: string }) {
  return edgehelm.call(as.anonymous(), getAPIAccessToken, { type: "user", accessKeyId: uniqueId, accessKey: secret });
}

describe("the secret of a key", () => {
  test("is shown to its user until the first token is issued; a stolen token does not reveal it", async () => {
    const key = await newKey();
    await expect(exchange({ ...key, secret: "wrong" })).rejects.toMatchObject({ code: 401 });
    expect(await secretSeenBy(ada)).toBe(key.secret);
    await exchange(key);
    expect(await secretSeenBy(ada)).toBe("");
    expect(await secretSeenBy(root)).toBe(key.secret);
  });

  test("is shown to its user for an hour at most", async () => {
    const key = await newKey();
    clock.advance(3599);
    expect(await secretSeenBy(ada)).toBe(key.secret);
    clock.advance(1);
    expect(await secretSeenBy(ada)).toBe("");
  });

  test("leaves an audit record whenever it is read, and only then", async () => {
    const key = await newKey();
    const records = () =>
      database<KernelTables>(KERNEL_SCOPE)(edgehelm.kernel.systemCall("test")).selectFrom("kernel_audit").selectAll()
        .where("operation", "=", "/UserAccessKeyService/findAllEnabledUserAccessKeys").orderBy("id").execute();
    expect(await records()).toEqual([]);
    await secretSeenBy(root);
    expect(await records()).toMatchObject([{ role: "admin", callerId: 1n }]);
    await secretSeenBy(ada);
    expect(await records()).toMatchObject([{ role: "admin" }, { role: "user", callerId: 7n }]);
    await exchange(key);
    await secretSeenBy(ada);
    expect(await records()).toHaveLength(2);
  });

  test("is replaced by its hash if secretOnce is set later, and the key stays valid", async () => {
    const key = await newKey();
    await edgehelm.stop();
    const { directory } = edgehelm;
    const config = { user_access_key: { secretOnce: true } };
    edgehelm = await testKernel({ plugins, stubs: [users], clock, directory, config });
    await edgehelm.kernel.runJob("user_access_key.hash_secrets");
    await edgehelm.stop();
    edgehelm = await testKernel({ plugins, stubs: [users], clock, directory });
    expect(await secretSeenBy(root)).toBe("");
    expect((await exchange(key)).token).not.toBe("");
  });
});
