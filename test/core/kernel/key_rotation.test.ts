import { rm } from "node:fs/promises";
import type { Call } from "edgehelm";
import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { InstallationKey } from "../../../core/auth/installation_key.ts";
import { decodeBase64url } from "../../../core/auth/base64url.ts";
import { openRemoteEngine } from "../../../core/storage/remote/engine.ts";
import admin from "../../../plugins/admin/plugin.ts";
import apiAccessToken from "../../../plugins/api_access_token/plugin.ts";
import { APIAccessTokenService } from "../../../plugins/api_access_token/proto/service_api_access_token_pb.ts";
import helloWorld from "../../../plugins/hello_world/plugin.ts";
import userAccessKey from "../../../plugins/user_access_key/plugin.ts";
import { UserAccessKeyService } from "../../../plugins/user_access_key/proto/service_user_access_key_pb.ts";
import { sqldRuns } from "../../servers/sqld.ts";
import { temporarySqld } from "../storage/engines.ts";

const { createUserAccessKey, findAllEnabledUserAccessKeys } = UserAccessKeyService.method;
const { getAPIAccessToken } = APIAccessTokenService.method;
const plugins = [admin, apiAccessToken, helloWorld, userAccessKey];
const root = as.admin();
const FIRST = new Uint8Array(32).fill(1);

let edgehelm: TestKernel;
let directory: string;
beforeEach(async () => {
  edgehelm = await testKernel({ plugins, key: FIRST });
  directory = edgehelm.directory;
});
afterEach(async () => {
  await edgehelm.stop();
  await rm(directory, { recursive: true, force: true });
});

async function restart(key: Uint8Array<ArrayBuffer>): Promise<void> {
  await edgehelm.stop();
  edgehelm = await testKernel({ plugins, key, directory });
}

function run(name: string, kernel = edgehelm, call: Call = kernel.kernel.systemCall("test")) {
  return kernel.kernel.commands.find((command) => command.name === name)!.run(call, []);
}

/** Rotates the installation key and returns the new one. */
async function rotate(kernel = edgehelm): Promise<Uint8Array<ArrayBuffer>> {
  return decodeBase64url((await run("keys rotate-installation", kernel))[1]!.trim())!;
}

async function hello(token: string, kernel = edgehelm): Promise<number> {
  const headers = { "x-cloud-access-token": token };
  const request = new Request("http://edgehelm.test/HelloWorldService/sayHello", { method: "POST", headers });
  return (await (await kernel.fetch(request)).json()).code;
}

/** Makes a key and returns a check that its secret is readable, and that a token of now stays valid. */
async function sealedThings(kernel = edgehelm) {
  const { userAccessKeyId, uniqueId, secret } = await kernel.call(root, createUserAccessKey, { adminId: 1n });
  const credential = { type: "admin", accessKeyId: uniqueId, accessKey: secret };
  const { token } = await kernel.call(as.anonymous(), getAPIAccessToken, credential);
  return async (other = edgehelm) => {
    const { userAccessKeys } = await other.call(root, findAllEnabledUserAccessKeys, { adminId: 1n });
    expect(userAccessKeys.find(({ id }) => id === userAccessKeyId)?.secret).toBe(secret);
    expect(await hello(token, other)).toBe(200);
    const { token: newer } = await other.call(as.anonymous(), getAPIAccessToken, credential);
    expect(await hello(newer, other)).toBe(200);
  };
}

describe("a rotation of the installation key", () => {
  test("keeps secrets and tokens readable, with both keys until it is finished and then with the new one", async () => {
    const checkOld = await sealedThings();
    const second = await rotate();
    const checkNew = await sealedThings();
    for (const key of [undefined, FIRST, second]) {
      if (key !== undefined) await restart(key);
      for (const check of [checkOld, checkNew]) await check();
    }
    await run("keys finish-installation");
    for (const check of [checkOld, checkNew]) await check();
    await restart(second);
    for (const check of [checkOld, checkNew]) await check();
    await edgehelm.stop();
    await expect(testKernel({ plugins, key: FIRST, directory })).rejects.toThrow("does not belong to this database");
    edgehelm = await testKernel({ plugins, key: second, directory });
  });

  test("can be repeated once it is finished", async () => {
    const check = await sealedThings();
    let key = await rotate();
    await expect(rotate()).rejects.toMatchObject({ kind: "conflict" });
    await restart(key);
    await run("keys finish-installation");
    key = await rotate();
    await check();
    await restart(key);
    await check();
  });

  test("is not finished while the previous key is configured, or if it did not begin", async () => {
    await expect(run("keys finish-installation")).rejects.toThrow("no rotation of the installation key has begun");
    await rotate();
    await restart(FIRST);
    await expect(run("keys finish-installation")).rejects.toThrow("replace it by the new key");
  });

  test("that is rolled back leaves the previous key in use", async () => {
    const check = await sealedThings();
    const call = edgehelm.kernel.systemCall("test");
    const failing = new Proxy(call, {
      get: (target, name) =>
        name !== "transact"
          ? Reflect.get(target, name, target)
          : (work: (inner: Call) => Promise<unknown>) =>
            target.transact(async (inner) => {
              await work(inner);
              throw new Error("crash");
            }),
    });
    await expect(run("keys rotate-installation", edgehelm, failing)).rejects.toThrow("crash");
    const checks = [check, await sealedThings()];
    for (const check of checks) await check();
    await restart(FIRST);
    for (const check of checks) await check();
  });

  test("stores no key that can be read without another one", async () => {
    const second = await rotate();
    const { text } = await InstallationKey.fromBytes(second);
    await edgehelm.stop();
    const { filesContaining } = await import("../../harness/files.ts");
    for (const secret of [text, (await InstallationKey.fromBytes(FIRST)).text]) {
      expect(filesContaining(directory, secret)).toEqual([]);
    }
    edgehelm = await testKernel({ plugins, key: second, directory });
  });
});

test.skipIf(!sqldRuns())("other instances continue through a rotation without a restart", async () => {
  const sqld = await temporarySqld();
  const start = async () =>
    await testKernel({ plugins, key: FIRST, engine: await openRemoteEngine({ url: sqld.url }) });
  await using first = await start();
  await using second = await start();
  const checks = [await sealedThings(first), await sealedThings(second)];
  await rotate(first);
  checks.push(await sealedThings(first), await sealedThings(second));
  for (const check of checks) for (const kernel of [first, second]) await check(kernel);
});
