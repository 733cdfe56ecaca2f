import { invalid } from "edgehelm";
import { as, stub, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import plugin from "../../../plugins/origin/plugin.ts";
import { OriginService } from "../../../plugins/origin/proto/service_origin_pb.ts";
import { SSLCerts } from "../../../plugins/ssl_cert/contract.ts";

const rpc = OriginService.method;
const ada = as.user(7n);
const bob = as.user(8n);
const addr = { protocol: "https", host: "origin.example.com", portRange: "8080-8090" };

/** Only certificate 1 may be used. */
const certificates = stub(SSLCerts, {
  take: async (_call, references) => {
    for (const { field, id } of references) if (id !== 1n) throw invalid(field, `certificate ${id} does not exist`);
  },
});

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin], stubs: [certificates] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

function bytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

async function configOf(originId: bigint, caller = ada) {
  const { originJSON } = await edgehelm.call(caller, rpc.findEnabledOriginConfig, { originId });
  return originJSON.length === 0 ? undefined : JSON.parse(new TextDecoder().decode(originJSON));
}

test("a user creates an origin, changes it and turns it on", async () => {
  const { originId } = await edgehelm.call(ada, rpc.createOrigin, {
    name: "main",
    addr,
    isOn: true,
    weight: 10,
    connTimeoutJSON: bytes({ count: 5, unit: "second" }),
    domains: ["a.example.com", "*.b.example.com"],
    certRefJSON: bytes({ isOn: true, certId: 1 }),
    host: "internal.example.com",
  });
  expect(await configOf(originId)).toEqual({
    id: Number(originId),
    isOn: true,
    version: 1,
    name: "main",
    addr: { ...addr, minPort: 8080, maxPort: 8090 },
    http2Enabled: false,
    description: "",
    code: "",
    weight: 10,
    connTimeout: { count: 5, unit: "second" },
    maxFails: 0,
    maxConns: 0,
    maxIdleConns: 0,
    domains: ["a.example.com", "*.b.example.com"],
    stripPrefix: "",
    requestURI: "",
    requestHost: "internal.example.com",
    followPort: false,
    certRef: { isOn: true, certId: 1 },
  });

  await edgehelm.call(ada, rpc.updateOrigin, { originId, name: "second", addr: { ...addr, portRange: "443" } });
  await edgehelm.call(ada, rpc.updateOriginIsOn, { originId, isOn: true });
  expect(await configOf(originId)).toMatchObject({
    isOn: true,
    version: 3,
    name: "second",
    addr: { portRange: "443", minPort: 443, maxPort: 443 },
    weight: 0,
    connTimeout: { count: 5, unit: "second" },
    certRef: { isOn: true, certId: 1 },
  });
  const { Origin } = await edgehelm.call(ada, rpc.findEnabledOrigin, { originId });
  expect(Origin).toMatchObject({ id: originId, name: "second", isOn: true, addr: { portRange: "443" } });
});

test("object storage needs no address", async () => {
  const oss = { type: "s3", options: { bucket: "films", region: "eu-1" } };
  const { originId } = await edgehelm.call(ada, rpc.createOrigin, { ossJSON: bytes(oss) });
  const config = await configOf(originId);
  expect(config.oss).toEqual(oss);
  expect(config).not.toHaveProperty("addr");
  await edgehelm.call(ada, rpc.updateOrigin, { originId, name: "films" });
  const { Origin } = await edgehelm.call(ada, rpc.findEnabledOrigin, { originId });
  expect(JSON.parse(new TextDecoder().decode(Origin?.ossJSON))).toEqual(oss);
  const stored = await edgehelm.engine.migrate(async (session) =>
    await session.run({
      sql: "select name || sealedOSS from origins where sealedOSS <> ''",
      scope: { owner: "test", tables: undefined },
    }, [])
  );
  const text = JSON.stringify(stored, (_key, value) => typeof value === "bigint" ? `${value}` : value);
  expect(text).toContain("filmsv1.");
  expect(text).not.toContain("eu-1");
});

describe("createOrigin refuses", () => {
  test.each([
    [{}, "addr: must not be empty"],
    [{ addr: { ...addr, protocol: "gopher" } }, "addr.protocol: must be one of http, https"],
    [{ addr: { ...addr, host: "" } }, "addr.host: must not be empty"],
    [{ addr: { ...addr, host: "http://a" } }, "addr.host: must be a host name or an IP address"],
    [{ addr: { ...addr, portRange: "0" } }, "addr.portRange: must be a port 1 to 65535"],
    [{ addr: { ...addr, portRange: "90-80" } }, "addr.portRange:"],
    [{ addr, weight: -1 }, "weight: must be 0 to 2147483647, got -1"],
    [{ addr, readTimeoutJSON: { count: 1, unit: "moon" } }, "readTimeoutJSON.unit: must be one of ms"],
    [{ addr, certRefJSON: { isOn: true } }, "certRefJSON.certId: must be a positive id"],
    [{ addr, certRefJSON: { isOn: true, certId: 2 } }, "certRefJSON.certId: certificate 2 does not exist"],
    [{ addr, domains: ["a", " "] }, "domains[1]: must not be empty"],
    [{ ossJSON: { type: "s 3" } }, "ossJSON.type: must be a type such as"],
  ])("%j", async (request, message) => {
    expect(await edgehelm.post("/OriginService/createOrigin", request, ada))
      .toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });
});

test("another user's origin is not found and cannot be changed; an admin can read all", async () => {
  const { originId } = await edgehelm.call(ada, rpc.createOrigin, { name: "hers", addr });
  expect(await configOf(originId, bob)).toBeNull();
  const notFound = { code: 404, reason: "origin.not_found" };
  await expect(edgehelm.call(bob, rpc.updateOrigin, { originId, addr })).rejects.toMatchObject(notFound);
  await expect(edgehelm.call(bob, rpc.updateOriginIsOn, { originId })).rejects.toMatchObject(notFound);
  expect(await configOf(originId, as.admin())).toMatchObject({ name: "hers" });
});

test("a certificate is refused if the plugin ssl_cert is not enabled", async () => {
  await using alone = await testKernel({ plugins: [plugin] });
  await expect(alone.call(ada, rpc.createOrigin, { addr, certRefJSON: bytes({ isOn: true, certId: 1 }) }))
    .rejects.toMatchObject({ code: 400 });
});
