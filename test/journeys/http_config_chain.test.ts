import { definePlugin } from "edgehelm";
import { as, stub, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import groups from "../../plugins/http_firewall_rule_group/plugin.ts";
import { HTTPFirewallRuleGroupService } from "../../plugins/http_firewall_rule_group/proto/service_http_firewall_rule_group_pb.ts";
import sets from "../../plugins/http_firewall_rule_set/plugin.ts";
import { HTTPFirewallRuleSetService } from "../../plugins/http_firewall_rule_set/proto/service_http_firewall_rule_set_pb.ts";
import origins from "../../plugins/origin/plugin.ts";
import { OriginService } from "../../plugins/origin/proto/service_origin_pb.ts";
import proxies from "../../plugins/reverse_proxy/plugin.ts";
import { ReverseProxyService } from "../../plugins/reverse_proxy/proto/service_reverse_proxy_pb.ts";
import { Servers } from "../../plugins/server/contract.ts";
import certificates from "../../plugins/ssl_cert/plugin.ts";
import { SSLCertService } from "../../plugins/ssl_cert/proto/service_ssl_cert_pb.ts";
import { type UserRemoval, UserRemovals, Users } from "../../plugins/user/contract.ts";
import { certificateFile } from "../plugins/ssl_cert/certificates.ts";

const admin = as.admin();
const ada = as.user(7n);
const bob = as.user(8n);
const addr = { protocol: "https", host: "198.51.100.1", portRange: "443" };
const certificate = { certData: certificateFile("rsa.pem"), keyData: certificateFile("rsa_pkcs8.key") };

/** The reverse proxies whose sites were looked up, because the proxies changed. */
const changedProxies: bigint[] = [];
const servers = stub(Servers, { usingReverseProxy: async (_call, id) => (changedProxies.push(id), []) });
let removals: readonly UserRemoval[] = [];
const probe = definePlugin({
  manifest: { name: "probe", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  setup: ({ contributions }) => void (removals = contributions(UserRemovals)),
});

let edgehelm: TestKernel;
beforeAll(async () => {
  const users = stub(Users, { requireUser: () => Promise.resolve() });
  const plugins = [certificates, origins, proxies, groups, sets, probe];
  edgehelm = await testKernel({ plugins, stubs: [users, servers] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

function bytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** Creates one object of each kind, each used by the next, and a rule group. */
async function createChain(caller: typeof ada) {
  const { sslCertId } = await edgehelm.call(caller, SSLCertService.method.createSSLCert, certificate);
  const certRefJSON = bytes({ isOn: true, certId: Number(sslCertId) });
  const origin = { name: "main", addr, certRefJSON };
  const { originId } = await edgehelm.call(caller, OriginService.method.createOrigin, origin);
  const primaryOriginsJSON = bytes([{ isOn: true, originId: Number(originId) }]);
  const { reverseProxyId } = await edgehelm.call(caller, ReverseProxyService.method.createReverseProxy, {
    primaryOriginsJSON,
  });
  const { createHTTPFirewallRuleGroup, addHTTPFirewallRuleGroupSet } = HTTPFirewallRuleGroupService.method;
  const group = await edgehelm.call(caller, createHTTPFirewallRuleGroup, { name: "own" });
  const rules = [{ param: "${requestPath}", operator: "prefix", value: "/" }];
  await edgehelm.call(caller, addHTTPFirewallRuleGroupSet, {
    firewallRuleGroupId: group.firewallRuleGroupId,
    firewallRuleSetConfigJSON: bytes({ name: "set", rules }),
  });
  return { sslCertId, originId, reverseProxyId, ...group };
}

/** Counts the objects of a chain that exist. */
async function countExisting({ sslCertId, originId, reverseProxyId, firewallRuleGroupId }: Awaited<
  ReturnType<typeof createChain>
>) {
  const exists = [
    new TextDecoder().decode(
      (await edgehelm.call(admin, SSLCertService.method.findEnabledSSLCertConfig, { sslCertId })).sslCertJSON,
    ) !== "null",
    (await edgehelm.call(admin, OriginService.method.findEnabledOrigin, { originId })).Origin !== undefined,
    (await edgehelm.call(admin, ReverseProxyService.method.findEnabledReverseProxy, { reverseProxyId }))
      .reverseProxy !== undefined,
    (await edgehelm.call(admin, HTTPFirewallRuleGroupService.method.findEnabledHTTPFirewallRuleGroup, {
      firewallRuleGroupId,
    })).firewallRuleGroup !== undefined,
  ];
  return exists.filter(Boolean).length;
}

test("a certificate that an origin uses cannot be deleted, and its renewal reaches the reverse proxies", async () => {
  const { sslCertId, originId, reverseProxyId } = await createChain(ada);
  await expect(edgehelm.call(ada, SSLCertService.method.deleteSSLCert, { sslCertId })).rejects.toMatchObject({
    code: 409,
    message: `certificate ${sslCertId} is used by origin "main"`,
  });
  changedProxies.length = 0;
  const renewed = { sslCertId, certData: certificateFile("rsa_renewed.pem") };
  await edgehelm.call(ada, SSLCertService.method.updateSSLCert, renewed);
  expect(changedProxies).toEqual([reverseProxyId]);
  const { originJSON } = await edgehelm.call(ada, OriginService.method.findEnabledOriginConfig, { originId });
  expect(JSON.parse(new TextDecoder().decode(originJSON))).toMatchObject({ version: 2 });
  const certRefJSON = bytes({ isOn: false, certId: 0 });
  await edgehelm.call(ada, OriginService.method.updateOrigin, { originId, addr, certRefJSON });
  await edgehelm.call(ada, SSLCertService.method.deleteSSLCert, { sslCertId });
});

test("an origin cannot use another user's certificate", async () => {
  const { sslCertId } = await edgehelm.call(bob, SSLCertService.method.createSSLCert, certificate);
  const certRefJSON = bytes({ isOn: true, certId: Number(sslCertId) });
  await expect(edgehelm.call(ada, OriginService.method.createOrigin, { addr, certRefJSON })).rejects.toMatchObject({
    code: 400,
    message: `certRefJSON.certId: certificate ${sslCertId} does not exist`,
  });
});

test("the objects of a deleted user are deleted in batches, and no others", async () => {
  const [first, second] = [await createChain(ada), await createChain(ada)];
  const others = await createChain(bob);
  const { createOrUpdateHTTPFirewallRuleSetFromConfig: createSet } = HTTPFirewallRuleSetService.method;
  const rules = [{ param: "${requestPath}", operator: "prefix", value: "/" }];
  await edgehelm.call(ada, createSet, { firewallRuleSetConfigJSON: bytes({ name: "alone", rules }) });
  for (const removal of removals) {
    const counts: number[] = [];
    do {
      const call = edgehelm.kernel.systemCall("test");
      counts.push(Number(await call.transact((inner) => removal.removeSome(inner, 7n, 2))));
    } while (counts.at(-1) === 2);
    expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(2);
    expect(Math.max(...counts)).toBe(2);
  }
  expect(removals).toHaveLength(5);
  expect([await countExisting(first), await countExisting(second), await countExisting(others)]).toEqual([0, 0, 4]);
});

test("concurrent renewals leave a matching certificate and key", async () => {
  const { sslCertId } = await edgehelm.call(bob, SSLCertService.method.createSSLCert, certificate);
  const other = { certData: certificateFile("p256.pem"), keyData: certificateFile("p256_pkcs8.key") };
  const renewals = Array.from({ length: 8 }, (_, at) =>
    edgehelm.call(bob, SSLCertService.method.updateSSLCert, {
      sslCertId,
      ...[other, certificate, { keyData: other.keyData }, { certData: certificate.certData }][at % 4],
      description: "renewed",
    }));
  await Promise.allSettled(renewals);
  const { sslCertJSON } = await edgehelm.call(bob, SSLCertService.method.findEnabledSSLCertConfig, { sslCertId });
  const { certData, keyData } = JSON.parse(new TextDecoder().decode(sslCertJSON));
  const pairs = [certificate, other].map((pair) => [base64(pair.certData), base64(pair.keyData)]);
  expect(pairs).toContainEqual([certData, keyData]);
});

function base64(contents: Uint8Array): string {
  return btoa(new TextDecoder("latin1").decode(contents));
}
