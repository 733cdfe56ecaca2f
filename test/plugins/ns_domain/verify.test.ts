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

async function created(edgehelm: TestKernel, name: string) {
  const { nsDomainId } = await edgehelm.call(ada, service.createNSDomain, { name });
  const { txt } = await edgehelm.call(ada, service.findNSDomainVerifyingInfo, { nsDomainId });
  return { nsDomainId, txt };
}

withNsd("a DNS server that has the records makes a domain verified, and another owner's loses it", async () => {
  // the zone needs the value, which is known once the domain exists: the resolver is set in between
  let address = "";
  const resolver = {
    txt: (...question: Parameters<ReturnType<typeof open>["txt"]>) => resolverAt(address).txt(...question),
    ns: (...question: Parameters<ReturnType<typeof open>["ns"]>) => resolverAt(address).ns(...question),
  };
  await using edgehelm = await domainKernel({ resolver });
  const { nsDomainId: rival } = await edgehelm.call(admin, service.createNSDomain, {
    name: "ok.test",
    nsClusterId: 1n,
    userId: 8n,
  });
  const good = await created(edgehelm, "ok.test");
  const codes = ["wrongns.test", "notxt.test", "wrongtxt.test", "none.ok.test"];
  const bad = await Promise.all(codes.map((name) => created(edgehelm, name)));
  await using nsd = await startNsd({
    "ok.test": `@ IN NS NS1.edge.test.\n_edgehelm-verify IN TXT "${good.txt.slice(0, 9)}" "${good.txt.slice(9)}"`,
    "wrongns.test": "@ IN NS ns.other.test.",
    "notxt.test": "@ IN NS ns1.edge.test.",
    "wrongtxt.test": `@ IN NS ns1.edge.test.\n_edgehelm-verify IN TXT "something else"`,
  });
  address = nsd.address;

  const answers = [];
  for (const { nsDomainId } of bad) answers.push(await edgehelm.call(ada, service.verifyNSDomain, { nsDomainId }));
  expect(answers.map(({ errorCode }) => errorCode)).toEqual(["InvalidNS", "TXTNotFound", "InvalidTXT", "NSNotFound"]);
  expect(answers[0]!.currentNSValues).toEqual(["ns.other.test"]);
  expect(answers[2]!.currentTXTValues).toEqual(["something else"]);

  const { isOk } = await edgehelm.call(ada, service.verifyNSDomain, { nsDomainId: good.nsDomainId });
  expect(isOk).toBe(true);
  const { nsDomain } = await edgehelm.call(admin, service.findVerifiedNSDomainOnCluster, {
    name: "ok.test",
    nsClusterId: 1n,
  });
  expect(nsDomain).toMatchObject({ id: good.nsDomainId, status: "verified", userId: 7n });
  expect((await edgehelm.call(admin, service.findNSDomain, { nsDomainId: rival })).nsDomain?.status).toBe("none");
});

test("a resolver that does not answer is an error and names the resolver, not a missing record", async () => {
  const address = `127.0.0.1:${await freePort()}`;
  await using edgehelm = await domainKernel({ resolver: resolverAt(address) });
  const { nsDomainId } = await created(edgehelm, "silent.test");
  await expect(edgehelm.call(ada, service.verifyNSDomain, { nsDomainId }))
    .rejects.toMatchObject({ code: 503, message: expect.stringContaining(address) });
});

test("the TXT value stays until it expires, and an expired one does not verify", async () => {
  const clock = new TestClock();
  await using edgehelm = await domainKernel({ clock, config: { verifyLifetimeSeconds: 60 } });
  const { nsDomainId, txt } = await created(edgehelm, "txt.test");
  const again = await edgehelm.call(ada, service.findNSDomainVerifyingInfo, { nsDomainId });
  expect(again).toMatchObject({ txt, status: "none", requireTXT: true });
  clock.advance(61);
  const { errorCode } = await edgehelm.call(ada, service.verifyNSDomain, { nsDomainId });
  expect(errorCode).toBe("TXTExpired");
  const renewed = await edgehelm.call(ada, service.findNSDomainVerifyingInfo, { nsDomainId });
  expect(renewed.txt).not.toBe(txt);
});

test("without a resolver verifying is unavailable", async () => {
  await using edgehelm = await domainKernel();
  const { nsDomainId } = await created(edgehelm, "edge.test");
  await expect(edgehelm.call(ada, service.verifyNSDomain, { nsDomainId })).rejects.toMatchObject({ code: 503 });
});
