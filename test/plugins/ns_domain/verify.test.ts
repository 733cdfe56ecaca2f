import { create } from "@bufbuild/protobuf";
import { as, TestClock, type TestKernel } from "edgehelm/testing";
import { expect, test } from "vitest";
import { NSDomainConfigSchema } from "../../../plugins/ns_domain/proto/config_pb.ts";
import { open } from "../../../plugins/ns_domain/host.ts";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { freePort, nsdRuns, startNsd } from "../../servers/nsd.ts";
import { domainKernel } from "./rig.ts";

const service = NSDomainService.method;
const admin = as.admin();
const ada = as.user(7n);
const withNsd = test.skipIf(!nsdRuns());

function resolverAt(address: string) {
  return open(create(NSDomainConfigSchema, { resolvers: [address], resolveTimeoutMilliseconds: 500n }));
}

async function createDomain(edgehelm: TestKernel, name: string) {
  const { nsDomainId } = await edgehelm.call(ada, service.createNSDomain, { name });
  const { txt } = await edgehelm.call(ada, service.findNSDomainVerifyingInfo, { nsDomainId });
  return { nsDomainId, txt };
}

withNsd("a domain with the right records is verified, and the domain of another owner loses its status", async () => {
  // The zone contains the TXT value, which exists only after the domain is created, so the address is set later.
  let address = "";
  const resolver = {
    txt: (...args: Parameters<ReturnType<typeof open>["txt"]>) => resolverAt(address).txt(...args),
    ns: (...args: Parameters<ReturnType<typeof open>["ns"]>) => resolverAt(address).ns(...args),
    ds: (...args: Parameters<ReturnType<typeof open>["ds"]>) => resolverAt(address).ds(...args),
  };
  await using edgehelm = await domainKernel({ resolver });
  const { nsDomainId: previous } = await edgehelm.call(admin, service.createNSDomain, {
    name: "ok.test",
    nsClusterId: 1n,
    userId: 8n,
  });
  const good = await createDomain(edgehelm, "ok.test");
  const names = ["wrongns.test", "notxt.test", "wrongtxt.test", "none.ok.test"];
  const bad = await Promise.all(names.map((name) => createDomain(edgehelm, name)));
  await using nsd = await startNsd({
    "ok.test": `@ IN NS NS1.edge.test.\n_edgehelm-verify IN TXT "${good.txt.slice(0, 9)}" "${good.txt.slice(9)}"`,
    "wrongns.test": "@ IN NS ns.other.test.",
    "notxt.test": "@ IN NS ns1.edge.test.",
    "wrongtxt.test": `@ IN NS ns1.edge.test.\n_edgehelm-verify IN TXT "something else"`,
  });
  address = nsd.address;

  const responses = [];
  for (const { nsDomainId } of bad) responses.push(await edgehelm.call(ada, service.verifyNSDomain, { nsDomainId }));
  expect(responses.map(({ errorCode }) => errorCode)).toEqual(["InvalidNS", "TXTNotFound", "InvalidTXT", "NSNotFound"]);
  expect(responses[0]!.currentNSValues).toEqual(["ns.other.test"]);
  expect(responses[2]!.currentTXTValues).toEqual(["something else"]);

  const { isOk } = await edgehelm.call(ada, service.verifyNSDomain, { nsDomainId: good.nsDomainId });
  expect(isOk).toBe(true);
  const { nsDomain } = await edgehelm.call(admin, service.findVerifiedNSDomainOnCluster, {
    name: "ok.test",
    nsClusterId: 1n,
  });
  expect(nsDomain).toMatchObject({ id: good.nsDomainId, status: "verified", userId: 7n });
  expect((await edgehelm.call(admin, service.findNSDomain, { nsDomainId: previous })).nsDomain?.status).toBe("none");
});

test("a resolver that does not answer is an error that names the resolver, not a missing record", async () => {
  const address = `127.0.0.1:${await freePort()}`;
  await using edgehelm = await domainKernel({ resolver: resolverAt(address) });
  const { nsDomainId } = await createDomain(edgehelm, "silent.test");
  await expect(edgehelm.call(ada, service.verifyNSDomain, { nsDomainId }))
    .rejects.toMatchObject({ code: 503, message: expect.stringContaining(address) });
});

test("the TXT value stays until it expires, and an expired one does not verify", async () => {
  const clock = new TestClock(1_800_000_030_000);
  const published: string[] = [];
  const resolver = { txt: async () => published, ns: async () => ["ns1.edge.test"], ds: async () => [] };
  await using edgehelm = await domainKernel({ clock, resolver, config: { verifyLifetimeSeconds: 60 } });
  const { nsDomainId, txt } = await createDomain(edgehelm, "txt.test");
  const other = await createDomain(edgehelm, "other.test");
  expect(other.txt).not.toBe(txt);
  const txtName = "_edgehelm-verify.txt.test";
  const info = { txt, txtName, status: "none", requireTXT: true, expiresAt: 1_800_000_120n };
  for (const seconds of [0, 29]) {
    clock.advance(seconds);
    expect(await edgehelm.call(ada, service.findNSDomainVerifyingInfo, { nsDomainId })).toMatchObject(info);
  }
  clock.advance(1);
  const renewed = await edgehelm.call(ada, service.findNSDomainVerifyingInfo, { nsDomainId });
  expect(renewed.txt).not.toBe(txt);

  published.push(txt);
  const errorOf = async (id: bigint) =>
    (await edgehelm.call(ada, service.verifyNSDomain, { nsDomainId: id })).errorCode;
  expect(await errorOf(other.nsDomainId)).toBe("InvalidTXT");
  clock.advance(60);
  expect(await errorOf(nsDomainId)).toBe("TXTExpired");
  clock.advance(-1);
  expect(await errorOf(nsDomainId)).toBe("");
});

test("finding 5: who may only read, such as a suspended owner, sees the TXT value", async () => {
  await using edgehelm = await domainKernel();
  expect(edgehelm.kernel.operations.find("/NSDomainService/findNSDomainVerifyingInfo"))
    .toMatchObject({ effect: "read", act: "read" });
});

test("verification is unavailable without a resolver", async () => {
  await using edgehelm = await domainKernel();
  const { nsDomainId } = await createDomain(edgehelm, "edge.test");
  await expect(edgehelm.call(ada, service.verifyNSDomain, { nsDomainId })).rejects.toMatchObject({ code: 503 });
});
