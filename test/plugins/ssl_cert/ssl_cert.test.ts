import { createHash, X509Certificate } from "node:crypto";
import { definePlugin } from "edgehelm";
import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SSLCertListeners, SSLCerts, SSLCertUses } from "../../../plugins/ssl_cert/contract.ts";
import plugin from "../../../plugins/ssl_cert/plugin.ts";
import { SSLCertService } from "../../../plugins/ssl_cert/proto/service_ssl_cert_pb.ts";
import { certificateFile as file } from "./certificates.ts";

const rpc = SSLCertService.method;
const admin = as.admin();
const ada = as.user(7n);
const bob = as.user(8n);
const rsa = { certData: file("rsa.pem"), keyData: file("rsa_pkcs8.key") };

const changed: bigint[] = [];
let usedId = 0n;
let nodeConfig: (id: bigint) => Promise<string> = () => Promise.reject(new Error("not running"));
const certificateUser = definePlugin({
  manifest: { name: "certificate_user", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  requires: { certificates: SSLCerts },
  setup({ contribute, deps: { certificates } }) {
    contribute(SSLCertUses, { referencesTo: async (_call, id) => id === usedId ? ['origin "main"'] : [] });
    contribute(SSLCertListeners, { changed: async (_call, id) => void changed.push(id) });
    nodeConfig = async (id) => {
      const configs = await certificates.configs(edgehelm.kernel.systemCall("test"), [id]);
      return new TextDecoder().decode(configs.get(id));
    };
  },
});

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin, certificateUser] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

async function create(request: object, caller = ada): Promise<bigint> {
  return (await edgehelm.call(caller, rpc.createSSLCert, request)).sslCertId;
}

async function configOf(sslCertId: bigint, caller = ada) {
  const { sslCertJSON } = await edgehelm.call(caller, rpc.findEnabledSSLCertConfig, { sslCertId });
  return sslCertJSON.length === 0 ? undefined : JSON.parse(text(sslCertJSON));
}

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

  const truncated = file("rsa.pem").slice(0, 400);
  test.each([
    ["no certificate", {}, "certData: must contain a certificate in PEM"],
    ["no key", { certData: rsa.certData }, "keyData: must not be empty"],
    ["invalid PEM", { ...rsa, certData: new Uint8Array([1, 2]) }, "certData: must contain a certificate in PEM"],
    ["a truncated certificate", { ...rsa, certData: truncated }, "certData: must contain a certificate in PEM"],
    ["a malformed certificate", { ...rsa, certData: pem("AQID") }, "certData: certificate 1 is malformed"],
    ["invalid base64", { ...rsa, certData: pem("A") }, "certData: the PEM block CERTIFICATE is not valid base64"],
    ["a key as the certificate", { ...rsa, certData: rsa.keyData }, "certData: must contain a certificate in PEM"],
    ["an encrypted key", { ...rsa, keyData: file("rsa_encrypted.key") }, "keyData: must not be encrypted"],
    ["a certificate as the key", { ...rsa, keyData: rsa.certData }, "keyData: must be a private key in PEM"],
    [
      "a key of another algorithm",
      { ...rsa, keyData: file("p256_sec1.key") },
      "keyData: does not match the certificate",
    ],
    [
      "another key of the same algorithm",
      { certData: file("p256.pem"), keyData: file("other.key") },
      "keyData: does not match the certificate",
    ],
    ["an oversized key", { ...rsa, keyData: new Uint8Array(20_000) }, "keyData: must have at most 16384 bytes"],
    [
      "an oversized certificate",
      { ...rsa, certData: new Uint8Array(300_000) },
      "certData: must have at most 262144 bytes, got 300000",
    ],
  ])("refuses %s", async (_name, request, message) => {
    await expect(create(request)).rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });

  test("a certificate belongs to the calling user, or to the user that an admin specifies", async () => {
    const hers = await create({ ...rsa, name: "hers", userId: 8n });
    expect(await configOf(hers, bob)).toBeUndefined();
    const his = await create({ ...rsa, name: "his", userId: 8n }, admin);
    expect(await configOf(his, bob)).toMatchObject({ name: "his" });
  });

  test("the stored key is encrypted", async () => {
    await create(rsa);
    const stored = await edgehelm.engine.migrate(async (session) =>
      await session.run({
        sql: "select group_concat(sealedKey) from sslCertFiles",
        scope: { owner: "test", tables: undefined },
      }, [])
    );
    const text = JSON.stringify(stored, (_key, value) => typeof value === "bigint" ? `${value}` : value);
    expect(text).toContain("v1.");
    expect(text).not.toContain("PRIVATE KEY");
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

describe("updateSSLCert", () => {
  const description = { isOn: true, name: "shop", description: "the shop's", serverName: "shop.example.com" };

  test("with only contents renews the certificate and keeps all other fields", async () => {
    const sslCertId = await create({ ...rsa, ...description });
    changed.length = 0;
    await edgehelm.call(ada, rpc.updateSSLCert, { sslCertId, certData: file("rsa_renewed.pem") });
    expect(await configOf(sslCertId)).toMatchObject({
      ...description,
      timeEndAt: Date.UTC(2061, 0) / 1000,
      dnsNames: ["shop.example.com"],
      keyData: Buffer.from(rsa.keyData).toString("base64"),
    });
    expect(changed).toEqual([sslCertId]);
    const p256 = { certData: file("p256.pem"), keyData: file("p256_pkcs8.key") };
    await edgehelm.call(ada, rpc.updateSSLCert, { sslCertId, ...p256 });
    expect(await configOf(sslCertId)).toMatchObject({
      ...description,
      dnsNames: expect.arrayContaining(["192.0.2.7"]),
    });
    const { count } = await edgehelm.call(ada, rpc.countSSLCerts, { domains: ["192.0.2.7"], keyword: "the shop's" });
    expect(count).toBe(1n);
  });

  test("with descriptive fields replaces them and keeps the contents", async () => {
    const sslCertId = await create({ ...rsa, ...description });
    await edgehelm.call(ada, rpc.updateSSLCert, { sslCertId, description: "off now" });
    const config = await configOf(sslCertId);
    expect(config).toMatchObject({ isOn: false, name: "shop", description: "off now", serverName: "" });
    expect(config).toMatchObject({ certData: Buffer.from(rsa.certData).toString("base64") });
  });

  test("refuses a certificate that does not match the current key, and changes nothing", async () => {
    const sslCertId = await create({ ...rsa, ...description });
    await expect(edgehelm.call(ada, rpc.updateSSLCert, { sslCertId, certData: file("p256.pem") }))
      .rejects.toMatchObject({ code: 400, message: "keyData: does not match the certificate" });
    await expect(edgehelm.call(ada, rpc.updateSSLCert, { sslCertId, keyData: file("other.key") }))
      .rejects.toMatchObject({ code: 400 });
    expect(await configOf(sslCertId)).toMatchObject({ ...description, timeEndAt: Date.UTC(2060, 0) / 1000 });
  });

  test("refuses to turn a CA certificate without a key into another certificate", async () => {
    const sslCertId = await create({ certData: file("root.pem"), isCA: true });
    await expect(edgehelm.call(ada, rpc.updateSSLCert, { sslCertId, name: "root" }))
      .rejects.toMatchObject({ code: 400, message: "keyData: must not be empty" });
  });
});

test("deleteSSLCert refuses a certificate that is in use", async () => {
  const sslCertId = usedId = await create(rsa);
  await expect(edgehelm.call(ada, rpc.deleteSSLCert, { sslCertId })).rejects.toMatchObject({
    code: 409,
    reason: "ssl_cert.in_use",
    message: `certificate ${sslCertId} is used by origin "main"`,
  });
  usedId = 0n;
  await edgehelm.call(ada, rpc.deleteSSLCert, { sslCertId });
  expect(await configOf(sslCertId)).toBeUndefined();
  await expect(edgehelm.call(ada, rpc.deleteSSLCert, { sslCertId })).rejects.toMatchObject({ code: 404 });
});

test("another user's certificate is not found and cannot be changed", async () => {
  const sslCertId = await create(rsa);
  expect(await configOf(sslCertId, bob)).toBeUndefined();
  const notFound = { code: 404, reason: "ssl_cert.not_found" };
  await expect(edgehelm.call(bob, rpc.updateSSLCert, { sslCertId, name: "his" })).rejects.toMatchObject(notFound);
  await expect(edgehelm.call(bob, rpc.deleteSSLCert, { sslCertId })).rejects.toMatchObject(notFound);
});

test("with hideKeys, keys are never returned, but nodes receive them", async () => {
  const sslCertId = await create(rsa);
  expect(JSON.parse(await nodeConfig(sslCertId)).keyData).toBe(Buffer.from(rsa.keyData).toString("base64"));
  await using hiding = await testKernel({ plugins: [plugin], config: { ssl_cert: { hideKeys: true } } });
  const { sslCertId: hidden } = await hiding.call(ada, rpc.createSSLCert, rsa);
  const { sslCertJSON } = await hiding.call(ada, rpc.findEnabledSSLCertConfig, { sslCertId: hidden });
  expect(JSON.parse(text(sslCertJSON))).toMatchObject({
    keyData: "",
    dnsNames: ["shop.example.com", "*.shop.example.com"],
  });
});

function pem(base64: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`);
}
