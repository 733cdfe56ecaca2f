import { testKernel } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import plugin from "../../../plugins/ssl_cert/plugin.ts";
import { ada, bob, configOf, create, edgehelm, nodeConfig, rpc, rsa, text, usedIds, useKernel } from "./rig.ts";

useKernel();

describe("createSSLCert", () => {
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

test("deleteSSLCert refuses a certificate that is in use", async () => {
  const sslCertId = await create(rsa);
  usedIds.add(sslCertId);
  await expect(edgehelm.call(ada, rpc.deleteSSLCert, { sslCertId })).rejects.toMatchObject({
    code: 409,
    reason: "ssl_cert.in_use",
    message: `certificate ${sslCertId} is used by origin "main"`,
  });
  usedIds.delete(sslCertId);
  await edgehelm.call(ada, rpc.deleteSSLCert, { sslCertId });
  expect(await configOf(sslCertId)).toBeNull();
  await expect(edgehelm.call(ada, rpc.deleteSSLCert, { sslCertId })).rejects.toMatchObject({ code: 404 });
});

test("another user's certificate is not found and cannot be changed", async () => {
  const sslCertId = await create(rsa);
  expect(await configOf(sslCertId, bob)).toBeNull();
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
