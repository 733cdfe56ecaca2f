import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import providers from "../../../plugins/acme_provider/plugin.ts";
import plugin from "../../../plugins/acme_provider_account/plugin.ts";
import { ACMEProviderAccountService } from "../../../plugins/acme_provider_account/proto/service_acme_provider_account_pb.ts";

const rpc = ACMEProviderAccountService.method;
const admin = as.admin();
const zerossl = { name: "main", providerCode: "zerossl", eabKid: "kid-1", eabKey: "very-secret-key" };

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin, providers] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function found(acmeProviderAccountId: bigint) {
  return (await edgehelm.call(admin, rpc.findEnabledACMEProviderAccount, { acmeProviderAccountId }))
    .acmeProviderAccount;
}

test("an operator makes an account, changes it and takes it away", async () => {
  const { acmeProviderAccountId: id } = await edgehelm.call(admin, rpc.createACMEProviderAccount, zerossl);
  expect(await found(id)).toMatchObject({
    id,
    isOn: true,
    ...zerossl,
    error: "",
    acmeProvider: { code: "zerossl", name: "ZeroSSL", requireEAB: true },
  });
  const update = { acmeProviderAccountId: id, name: "second", eabKid: "kid-2", eabKey: "another-key" };
  await edgehelm.call(admin, rpc.updateACMEProviderAccount, update);
  expect(await found(id)).toMatchObject({
    name: "second",
    providerCode: "zerossl",
    eabKid: "kid-2",
    eabKey: "another-key",
  });
  await edgehelm.call(admin, rpc.deleteACMEProviderAccount, { acmeProviderAccountId: id });
  expect(await found(id)).toBeUndefined();
  const refused = { code: 404, reason: "acme_provider_account.not_found" };
  await expect(edgehelm.call(admin, rpc.updateACMEProviderAccount, update)).rejects.toMatchObject(refused);
  await expect(edgehelm.call(admin, rpc.deleteACMEProviderAccount, { acmeProviderAccountId: id }))
    .rejects.toMatchObject(refused);
});

describe("refused is", () => {
  test.each([
    ["no name", { ...zerossl, name: " " }, "name: must not be empty"],
    [
      "an unknown provider",
      { ...zerossl, providerCode: "acme" },
      'providerCode: must be one of letsencrypt, zerossl, got "acme"',
    ],
    [
      "no key id where one is asked for",
      { ...zerossl, eabKid: "" },
      'eabKid: must not be empty for the provider "zerossl"',
    ],
    [
      "no key where one is asked for",
      { ...zerossl, eabKey: "" },
      'eabKey: must not be empty for the provider "zerossl"',
    ],
    ["half a binding", { ...zerossl, providerCode: "letsencrypt", eabKey: "" }, "eabKey: must not be empty"],
  ])("%s", async (_what, request, message) => {
    await expect(edgehelm.call(admin, rpc.createACMEProviderAccount, request))
      .rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });

  test("taking the binding of an account away whose provider asks for one", async () => {
    const { acmeProviderAccountId } = await edgehelm.call(admin, rpc.createACMEProviderAccount, zerossl);
    await expect(edgehelm.call(admin, rpc.updateACMEProviderAccount, { acmeProviderAccountId, name: "bare" }))
      .rejects.toMatchObject({ code: 400 });
    expect(await found(acmeProviderAccountId)).toMatchObject(zerossl);
  });
});

test("a provider that asks for none takes an account without a binding", async () => {
  const request = { name: "free", providerCode: "letsencrypt" };
  const { acmeProviderAccountId } = await edgehelm.call(admin, rpc.createACMEProviderAccount, request);
  expect(await found(acmeProviderAccountId)).toMatchObject({ ...request, eabKid: "", eabKey: "" });
});

test("accounts are listed, counted and found by provider; keys rest sealed", async () => {
  await using fresh = await testKernel({ plugins: [plugin, providers] });
  for (const name of ["one", "two"]) await fresh.call(admin, rpc.createACMEProviderAccount, { ...zerossl, name });
  await fresh.call(admin, rpc.createACMEProviderAccount, { name: "three", providerCode: "letsencrypt" });
  const { acmeProviderAccounts } = await fresh.call(admin, rpc.listEnabledACMEProviderAccounts, {
    offset: 1n,
    size: 5n,
  });
  expect(acmeProviderAccounts.map(({ name }) => name)).toEqual(["two", "one"]);
  expect((await fresh.call(admin, rpc.countAllEnabledACMEProviderAccounts, {})).count).toBe(3n);
  const atProvider = await fresh.call(admin, rpc.findAllACMEProviderAccountsWithProviderCode, {
    acmeProviderCode: "letsencrypt",
  });
  expect(atProvider.acmeProviderAccounts.map(({ name, acmeProvider }) => [name, acmeProvider?.code]))
    .toEqual([["three", "letsencrypt"]]);
  const stored = await fresh.engine.migrate(async (session) =>
    await session.run({
      sql: "select group_concat(eabKid || sealedKey) from acmeProviderAccounts",
      scope: { owner: "test", tables: undefined },
    }, [])
  );
  const text = JSON.stringify(stored, (_key, value) => typeof value === "bigint" ? `${value}` : value);
  expect(text).toContain("kid-1");
  expect(text).not.toContain("very-secret-key");
});
