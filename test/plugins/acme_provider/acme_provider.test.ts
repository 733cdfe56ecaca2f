import { as, testKernel } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import plugin from "../../../plugins/acme_provider/plugin.ts";
import { ACMEProviderService } from "../../../plugins/acme_provider/proto/service_acme_provider_pb.ts";

const { findAllACMEProviders, findACMEProviderWithCode } = ACMEProviderService.method;
const admin = as.admin();

function kernelWith(...providers: object[]) {
  return testKernel({ plugins: [plugin], config: { acme_provider: JSON.parse(JSON.stringify({ providers })) } });
}

test("built-in providers are listed, with the binding that they require", async () => {
  await using edgehelm = await kernelWith();
  const { acmeProviders } = await edgehelm.call(admin, findAllACMEProviders, {});
  expect(acmeProviders.map(({ code, requireEAB }) => [code, requireEAB])).toEqual([
    ["letsencrypt", false],
    ["zerossl", true],
  ]);
  const found = await edgehelm.call(admin, findACMEProviderWithCode, { acmeProviderCode: "zerossl" });
  expect(found.acmeProvider).toMatchObject({ name: "ZeroSSL", apiURL: "https://acme.zerossl.com/v2/DV90" });
  const missing = await edgehelm.call(admin, findACMEProviderWithCode, { acmeProviderCode: "none" });
  expect(missing.acmeProvider).toBeUndefined();
});

test("the configuration adds providers", async () => {
  await using edgehelm = await kernelWith({ code: "own", apiURL: "http://127.0.0.1:14000/dir", requireEAB: true });
  const { acmeProviders } = await edgehelm.call(admin, findAllACMEProviders, {});
  expect(acmeProviders.at(-1)).toMatchObject({ code: "own", name: "own", requireEAB: true });
});

describe("the server does not start with", () => {
  test.each([
    [
      "a code that is taken",
      { code: "zerossl", apiURL: "https://a.example.com" },
      'providers[0].code: "zerossl" is taken',
    ],
    ["a malformed code", { code: "My Own", apiURL: "https://a.example.com" }, "providers[0].code: must be"],
    ["a URL without TLS", { code: "own", apiURL: "http://ca.example.com/dir" }, "providers[0].apiURL: must be"],
    ["no URL", { code: "own" }, "providers[0].apiURL: must be"],
  ])("%s", async (_title, provider, message) => {
    await expect(kernelWith(provider)).rejects.toThrow(message);
  });
});
