import { as } from "edgehelm/testing";
import { createHash, X509Certificate } from "node:crypto";
import { describe, expect, test } from "vitest";
import { certificateFile as file } from "./certificates.ts";
import { ada, bob, configOf, create, edgehelm, rpc, rsa, useKernel } from "./rig.ts";

const admin = as.admin();

useKernel();

describe("createSSLCert", () => {
  test("reads names, dates and fingerprint from the certificate, not from the request", async () => {
    const id = await create({
      ...rsa,
      isOn: true,
      timeBeginAt: 1n,
      timeEndAt: 2n,
      dnsNames: ["x"],
      commonNames: ["y"],
    });
    const expected = new X509Certificate(file("rsa.pem"));
    expect(await configOf(id)).toEqual({
      id: Number(id),
      isOn: true,
      name: "shop.example.com",
      description: "",
      certData: Buffer.from(rsa.certData).toString("base64"),
      keyData: Buffer.from(rsa.keyData).toString("base64"),
      serverName: "",
      isCA: false,
      isACME: false,
      timeBeginAt: Date.parse(expected.validFrom) / 1000,
      timeEndAt: Date.parse(expected.validTo) / 1000,
      dnsNames: ["shop.example.com", "*.shop.example.com"],
      commonNames: ["Test Intermediate", "Test Root"],
      ocsp: "",
      ocspExpiresAt: 0,
      ocspError: "",
      fingerprint: createHash("sha256").update(expected.raw).digest("hex"),
    });
  });

  test.each([
    ["rsa.pem", "rsa_pkcs1.key", ["shop.example.com", "*.shop.example.com"]],
    ["p256.pem", "p256_sec1.key", ["mail.example.com", "192.0.2.7", "2001:db8::1"]],
    ["p256.pem", "p256_pkcs8.key", ["mail.example.com", "192.0.2.7", "2001:db8::1"]],
    ["p384.pem", "p384_sec1.key", ["p384.example.com"]],
    ["ed25519.pem", "ed25519.key", ["ed.example.com"]],
  ])("accepts %s with %s", async (certificate, key, names) => {
    const { dnsNames, timeEndAt } = await configOf(await create({ certData: file(certificate), keyData: file(key) }));
    expect(dnsNames).toEqual(names);
    expect(timeEndAt).toBe(Date.UTC(2060, 0) / 1000);
  });

  test("accepts a CA certificate without a key", async () => {
    const config = await configOf(await create({ certData: file("root.pem"), isCA: true }));
    expect(config).toMatchObject({ isCA: true, name: "test root", keyData: "", commonNames: ["Test Root"] });
  });

  test("a certificate belongs to the calling user, or to the user that an admin specifies", async () => {
    const hers = await create({ ...rsa, name: "hers", userId: 8n });
    expect(await configOf(hers, bob)).toBeNull();
    const his = await create({ ...rsa, name: "his", userId: 8n }, admin);
    expect(await configOf(his, bob)).toMatchObject({ name: "his" });
  });
});

test("createSSLCerts creates all or none", async () => {
  const before = (await edgehelm.call(ada, rpc.countSSLCerts, {})).count;
  const invalidRequest = { SSLCerts: [rsa, { ...rsa, keyData: file("other.key") }] };
  await expect(edgehelm.call(ada, rpc.createSSLCerts, invalidRequest))
    .rejects.toMatchObject({ code: 400, message: "SSLCerts[1].keyData: does not match the certificate" });
  expect((await edgehelm.call(ada, rpc.countSSLCerts, {})).count).toBe(before);
  const validRequest = {
    SSLCerts: [{ ...rsa, name: "one" }, { certData: file("ed25519.pem"), keyData: file("ed25519.key") }],
  };
  const { sslCertIds: [one, two] } = await edgehelm.call(ada, rpc.createSSLCerts, validRequest);
  expect(await configOf(one!)).toMatchObject({ name: "one" });
  expect(await configOf(two!)).toMatchObject({ name: "ed.example.com" });
});
