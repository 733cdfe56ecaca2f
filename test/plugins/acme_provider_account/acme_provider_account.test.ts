import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import providers from "../../../plugins/acme_provider/plugin.ts";
import plugin from "../../../plugins/acme_provider_account/plugin.ts";
import { withoutProviders } from "../../harness/acme_connections.ts";
import { ACMEProviderAccountService } from "../../../plugins/acme_provider_account/proto/service_acme_provider_account_pb.ts";

const rpc = ACMEProviderAccountService.method;
const admin = as.admin();
const zerossl = { name: "main", providerCode: "zerossl", eabKid: "kid-1", eabKey: "very-secret-key" };

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin, withoutProviders(providers)] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function find(acmeProviderAccountId: bigint) {
  return (await edgehelm.call(admin, rpc.findEnabledACMEProviderAccount, { acmeProviderAccountId }))
    .acmeProviderAccount;
}

test("an admin creates, updates and deletes an account", async () => {
  const { acmeProviderAccountId: id } = await edgehelm.call(admin, rpc.createACMEProviderAccount, zerossl);
  expect(await find(id)).toMatchObject({
    id,
    isOn: true,
    ...zerossl,
    error: "",
    acmeProvider: { code: "zerossl", name: "ZeroSSL", requireEAB: true },
  });
  const update = { acmeProviderAccountId: id, name: "second", eabKid: "kid-2", eabKey: "another-key" };
  await edgehelm.call(admin, rpc.updateACMEProviderAccount, update);
  expect(await find(id)).toMatchObject({
    name: "second",
    providerCode: "zerossl",
    eabKid: "kid-2",
    eabKey: "another-key",
  });
  await edgehelm.call(admin, rpc.deleteACMEProviderAccount, { acmeProviderAccountId: id });
  expect(await find(id)).toBeUndefined();
  const notFound = { code: 404, reason: "acme_provider_account.not_found" };
  await expect(edgehelm.call(admin, rpc.updateACMEProviderAccount, update)).rejects.toMatchObject(notFound);
  await expect(edgehelm.call(admin, rpc.deleteACMEProviderAccount, { acmeProviderAccountId: id }))
    .rejects.toMatchObject(notFound);
});

describe("createACMEProviderAccount refuses", () => {
  test.each([
    ["an empty name", { ...zerossl, name: " " }, "name: must not be empty"],
    [
      "an unknown provider",
      { ...zerossl, providerCode: "acme" },
      'providerCode: must be one of letsencrypt, zerossl, got "acme"',
    ],
    [
      "a missing key id if the provider requires one",
      { ...zerossl, eabKid: "" },
      'eabKid: must not be empty for the provider "zerossl"',
    ],
    [
      "a missing key if the provider requires one",
      { ...zerossl, eabKey: "" },
      'eabKey: must not be empty for the provider "zerossl"',
    ],
    ["a binding without a key", { ...zerossl, providerCode: "letsencrypt", eabKey: "" }, "eabKey: must not be empty"],
  ])("%s", async (_title, request, message) => {
    await expect(edgehelm.call(admin, rpc.createACMEProviderAccount, request))
      .rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });
});

test("updateACMEProviderAccount refuses to remove a binding that the provider requires", async () => {
  const { acmeProviderAccountId } = await edgehelm.call(admin, rpc.createACMEProviderAccount, zerossl);
  await expect(edgehelm.call(admin, rpc.updateACMEProviderAccount, { acmeProviderAccountId, name: "bare" }))
    .rejects.toMatchObject({ code: 400 });
  expect(await find(acmeProviderAccountId)).toMatchObject(zerossl);
});

test("a provider that requires no binding accepts an account without one", async () => {
  const request = { name: "free", providerCode: "letsencrypt" };
  const { acmeProviderAccountId } = await edgehelm.call(admin, rpc.createACMEProviderAccount, request);
  expect(await find(acmeProviderAccountId)).toMatchObject({ ...request, eabKid: "", eabKey: "" });
});

test("accounts are listed, counted and found by provider; keys are stored sealed", async () => {
  await using fresh = await testKernel({ plugins: [plugin, withoutProviders(providers)] });
  for (const name of ["one", "two"]) await fresh.call(admin, rpc.createACMEProviderAccount, { ...zerossl, name });
  await fresh.call(admin, rpc.createACMEProviderAccount, { name: "three", providerCode: "letsencrypt" });
  const { acmeProviderAccounts } = await fresh.call(admin, rpc.listEnabledACMEProviderAccounts, {
    offset: 1n,
    size: 5n,
  });
  expect(acmeProviderAccounts.map(({ name }) => name)).toEqual(["two", "one"]);
  expect((await fresh.call(admin, rpc.countAllEnabledACMEProviderAccounts, {})).count).toBe(3n);
  const ofProvider = await fresh.call(admin, rpc.findAllACMEProviderAccountsWithProviderCode, {
    acmeProviderCode: "letsencrypt",
  });
  expect(ofProvider.acmeProviderAccounts.map(({ name, acmeProvider }) => [name, acmeProvider?.code]))
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
