import { describe, expect, test } from "vitest";
import { certificateFile as file } from "./certificates.ts";
import { ada, changed, configOf, create, edgehelm, rpc, rsa, useKernel } from "./rig.ts";

useKernel();

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
