import { rm } from "node:fs/promises";
import { type Call, definePlugin } from "edgehelm";
import { Secrets } from "edgehelm/auth";
import { as, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { decodeBase64url } from "../../../core/auth/base64url.ts";
import { InstallationKey } from "../../../core/auth/installation_key.ts";
import { database } from "../../../core/storage/database.ts";
import admin from "../../../plugins/admin/plugin.ts";
import helloWorld from "../../../plugins/hello_world/plugin.ts";
import userAccessKey from "../../../plugins/user_access_key/plugin.ts";
import { UserAccessKeyService } from "../../../plugins/user_access_key/proto/service_user_access_key_pb.ts";

const { createUserAccessKey, findAllEnabledUserAccessKeys } = UserAccessKeyService.method;
const FIRST = new Uint8Array(32).fill(1);
const DAY_AND_HOUR = 25 * 3600;
const PLACE = { table: "userAccessKeys", column: "secret" };
const everything = database({ owner: "test", tables: undefined });
const root = as.admin();

let edgehelm: TestKernel;
let directory: string;
let clock: TestClock;
const start = async (key: Uint8Array<ArrayBuffer>, plugins = [admin, helloWorld, userAccessKey]) =>
  edgehelm = await testKernel({ plugins, key, clock, ...(directory !== "" && { directory }) });
beforeEach(async () => {
  clock = new TestClock();
  directory = "";
  directory = (await start(FIRST)).directory;
});
afterEach(async () => {
  await edgehelm.stop();
  await rm(directory, { recursive: true, force: true });
});

function run(name: string): Promise<readonly string[]> {
  return edgehelm.kernel.commands.find((command) => command.name === name)!.run(systemCall(), []);
}
const systemCall = (): Call => edgehelm.kernel.systemCall("test");
const reseal = () => edgehelm.kernel.runJob("kernel.reseal");
const status = async () => (await run("keys status")).slice(1);
const secrets = async () =>
  (await edgehelm.call(root, findAllEnabledUserAccessKeys, { adminId: 1n })).userAccessKeys.map(({ secret }) => secret);

/** Rotates the installation key and returns the new one. */
async function rotate(): Promise<Uint8Array<ArrayBuffer>> {
  return decodeBase64url((await run("keys rotate-installation"))[1]!.trim())!;
}

async function restart(key: Uint8Array<ArrayBuffer>, plugins?: Parameters<typeof start>[1]): Promise<void> {
  await edgehelm.stop();
  await start(key, plugins);
}

test("values are sealed again, and a check a day later drops the earlier key", async () => {
  for (let index = 0; index < 3; index++) await edgehelm.call(root, createUserAccessKey, { adminId: 1n });
  const before = await secrets();
  expect(await status()).toEqual(["no value is encrypted with an earlier key"]);
  const second = await rotate();
  expect((await status()).at(-1)).toBe("encrypting values with the current key begins shortly");
  await reseal();
  expect(await secrets()).toEqual(before);
  expect((await status())[1]).toMatch(/^\d+ values were encrypted again, 0 cannot be read$/);
  expect((await status()).at(-1)).toBe(
    "the earlier keys are kept: the rotation is not finished: run keys finish-installation",
  );
  await restart(second);
  await run("keys finish-installation");
  await reseal();
  expect((await status())[0]).toMatch(/^earlier keys: /);
  clock.advance(DAY_AND_HOUR);
  await reseal();
  expect(await status()).toEqual(["no value is encrypted with an earlier key"]);
  expect(await secrets()).toEqual(before);
  await restart(second);
  expect(await secrets()).toEqual(before);
});

test("a value that another instance seals under the earlier key later is sealed again, and delays the drop", async () => {
  const { uniqueId, secret } = await edgehelm.call(root, createUserAccessKey, { adminId: 1n });
  const second = await rotate();
  await reseal();
  await restart(second);
  await run("keys finish-installation");
  const first = await InstallationKey.fromBytes(FIRST);
  await store(await first.sealer.seal(secret, { ...PLACE, row: uniqueId }));
  clock.advance(DAY_AND_HOUR);
  await reseal();
  expect((await status())[0]).toBe(`earlier keys: ${first.id}`);
  expect((await stored()).split(".")[1]).toBe((await InstallationKey.fromBytes(second)).id);
  expect(await secrets()).toContain(secret);
  clock.advance(DAY_AND_HOUR);
  await reseal();
  expect(await status()).toEqual(["no value is encrypted with an earlier key"]);
});

test("a value that cannot be opened stays as it is, and keeps the earlier key", async () => {
  await edgehelm.call(root, createUserAccessKey, { adminId: 1n });
  const second = await rotate();
  await restart(second);
  await run("keys finish-installation");
  const misplaced = await (await InstallationKey.fromBytes(FIRST)).sealer.seal("x", { ...PLACE, row: "another row" });
  await store(misplaced);
  for (let round = 0; round < 3; round++) {
    await reseal();
    clock.advance(DAY_AND_HOUR);
  }
  expect((await status())[1]).toMatch(/, 1 cannot be read$/);
  expect(await stored()).toBe(misplaced);
});

test("a run that ends in the middle leaves every value readable, and the next one continues", async () => {
  await edgehelm.call(root, createUserAccessKey, { adminId: 1n });
  const before = await secrets();
  const second = await rotate();
  const refuse = sql`create trigger refuse before update on userAccessKeys begin select raise(abort, 'no'); end`;
  await systemCall().transact(async (inner) => void await refuse.execute(everything(inner)));
  await reseal();
  expect((await status()).at(-1)).toMatch(/^columns done: 0 of 2, now kernel_signing_keys/);
  expect(await secrets()).toEqual(before);
  await restart(second);
  expect(await secrets()).toEqual(before);
  await systemCall().transact(async (inner) => void await sql`drop trigger refuse`.execute(everything(inner)));
  await reseal();
  expect((await status())[1]).toBe("3 values were encrypted again, 0 cannot be read");
  expect(await secrets()).toEqual(before);
});

test("plugins that may have further values keep the earlier key", async () => {
  const vendor = definePlugin({
    manifest: { name: "vendor", version: "1.0.0", kernel: "^1", services: [], tables: [] },
    requires: { secrets: Secrets },
    setup() {},
  });
  const second = await rotate();
  await restart(second, [admin, helloWorld, vendor]);
  await run("keys finish-installation");
  for (let round = 0; round < 2; round++) {
    await reseal();
    clock.advance(DAY_AND_HOUR);
  }
  expect((await status()).slice(-2)).toEqual([
    'the earlier keys are kept: the plugin "vendor" does not declare its sealed columns',
    'the earlier keys are kept: the plugin "user_access_key" has tables, but is not enabled',
  ]);
});

async function stored(): Promise<string> {
  const { rows } = await sql<{ secret: string }>`select secret from userAccessKeys order by id desc`.execute(
    everything(systemCall()),
  );
  return rows[0]!.secret;
}

async function store(secret: string): Promise<void> {
  const change = sql`update userAccessKeys set secret = ${secret} where id = (select max(id) from userAccessKeys)`;
  await systemCall().transact(async (inner) => void await change.execute(everything(inner)));
}
