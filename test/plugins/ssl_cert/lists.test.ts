import { as, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import plugin from "../../../plugins/ssl_cert/plugin.ts";
import { SSLCertService } from "../../../plugins/ssl_cert/proto/service_ssl_cert_pb.ts";
import { certificateFile as file } from "./certificates.ts";

const rpc = SSLCertService.method;
const admin = as.admin();
const ada = as.user(7n);
const bob = as.user(8n);
const rsa = { certData: file("rsa.pem"), keyData: file("rsa_pkcs8.key") };

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

describe("listSSLCerts and countSSLCerts", () => {
  const clock = new TestClock(Date.UTC(2059, 11, 1));
  let lists: TestKernel;
  beforeAll(async () => {
    lists = await testKernel({ plugins: [plugin], clock });
    const certificates = [
      [ada, { ...rsa, name: "shop" }],
      [ada, { certData: file("expired.pem"), keyData: file("expired.key"), name: "old" }],
      [bob, { certData: file("rsa_renewed.pem"), keyData: rsa.keyData, name: "renewed" }],
      [admin, { certData: file("root.pem"), isCA: true, name: "root" }],
    ] as const;
    for (const [caller, request] of certificates) await lists.call(caller, rpc.createSSLCert, request);
  });
  afterAll(() => lists[Symbol.asyncDispose]());

  test.each([
    ["without a user the installation's own", admin, {}, ["root"]],
    ["a user's own", ada, {}, ["old", "shop"]],
    ["a user's own, for any userId", ada, { userId: 8n }, ["old", "shop"]],
    ["of one user", admin, { userId: 8n }, ["renewed"]],
    ["of users, newest first", admin, { userOnly: true }, ["renewed", "old", "shop"]],
    ["of CAs", admin, { isCA: true }, ["root"]],
    ["valid now", ada, { isAvailable: true }, ["shop"]],
    ["expired", ada, { isExpired: true }, ["old"]],
    ["expiring within 40 days", admin, { expiringDays: 40, userOnly: true }, ["shop"]],
    ["expiring within 20 days", admin, { expiringDays: 20 }, []],
    ["by name", admin, { keyword: "NEW", userOnly: true }, ["renewed"]],
    ["by issuer", admin, { keyword: "test intermediate", userOnly: true }, ["renewed", "old", "shop"]],
    ["by domain", admin, { domains: ["SHOP.example.com", "none.example.com"], userOnly: true }, ["renewed", "shop"]],
    ["by a domain under a wildcard", admin, { domains: ["a.shop.example.com"], userId: 7n }, ["shop"]],
    ["by domain and user", ada, { domains: ["shop.example.com"] }, ["shop"]],
    ["by domain and validity", admin, { domains: ["old.example.com"], isAvailable: true }, []],
  ])("%s", async (_name, caller, filter, names) => {
    const { sslCertsJSON } = await lists.call(caller, rpc.listSSLCerts, filter);
    expect(JSON.parse(text(sslCertsJSON)).map(({ name }: { name: string }) => name)).toEqual(names);
    expect((await lists.call(caller, rpc.countSSLCerts, filter)).count).toBe(BigInt(names.length));
  });

  test("return pages without contents", async () => {
    const { sslCertsJSON } = await lists.call(admin, rpc.listSSLCerts, { userOnly: true, offset: 1n, size: 1n });
    expect(JSON.parse(text(sslCertsJSON))).toEqual([
      expect.objectContaining({ name: "old", certData: "", keyData: "" }),
    ]);
  });

  test("refuse a negative number of days", async () => {
    await expect(lists.call(admin, rpc.countSSLCerts, { expiringDays: -1 })).rejects.toMatchObject({ code: 400 });
  });
});
