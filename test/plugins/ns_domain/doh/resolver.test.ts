import { as, type TestKernel } from "edgehelm/testing";
import { expect, test } from "vitest";
import { NSDomainService } from "../../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { exchangeOverUdp, startDoh } from "../../../servers/doh.ts";
import { nsdRuns, startNsd } from "../../../servers/nsd.ts";
import { domainKernel } from "../rig.ts";

const service = NSDomainService.method;
const ada = as.user(7n);
const LOOPBACK = { allow: ["127.0.0.0/8"] };

async function createDomain(edgehelm: TestKernel, name: string) {
  const { nsDomainId } = await edgehelm.call(ada, service.createNSDomain, { name });
  const { txt } = await edgehelm.call(ada, service.findNSDomainVerifyingInfo, { nsDomainId });
  return { nsDomainId, txt };
}

test.skipIf(!nsdRuns())("domains are verified over HTTPS, by the answers of a real DNS server", async () => {
  // The zones contain a TXT value that exists only after the domain is created.
  let address = "";
  await using doh = await startDoh(async (message) => ({ body: await exchangeOverUdp(address, message) }));
  await using edgehelm = await domainKernel({ config: { dohServers: [doh.url] }, outbound: LOOPBACK });
  const good = await createDomain(edgehelm, "ok.test");
  const names = ["wrongns.test", "notxt.test", "wrongtxt.test", "none.ok.test"];
  const bad = await Promise.all(names.map((name) => createDomain(edgehelm, name)));
  await using nsd = await startNsd({
    "ok.test": `@ IN NS NS1.edge.test.\n_edgehelm-verify IN TXT "${good.txt.slice(0, 9)}" "${good.txt.slice(9)}"`,
    "wrongns.test": "@ IN NS ns.other.test.",
    "notxt.test": "@ IN NS ns1.edge.test.",
    "wrongtxt.test": `@ IN NS ns1.edge.test.\n_edgehelm-verify IN TXT "grüße"`,
  });
  address = nsd.address;

  const responses = [];
  for (const { nsDomainId } of bad) responses.push(await edgehelm.call(ada, service.verifyNSDomain, { nsDomainId }));
  expect(responses.map(({ errorCode }) => errorCode)).toEqual(["InvalidNS", "TXTNotFound", "InvalidTXT", "NSNotFound"]);
  expect(responses[0]!.currentNSValues).toEqual(["ns.other.test"]);
  expect(responses[2]!.currentTXTValues).toEqual(["grüße"]);
  const { isOk } = await edgehelm.call(ada, service.verifyNSDomain, { nsDomainId: good.nsDomainId });
  expect(isOk).toBe(true);
  expect(new Set(doh.mediaTypes)).toEqual(new Set(["application/dns-message"]));
});

test("a server that fails is passed over; if all fail, the error says why each did", async () => {
  await using broken = await startDoh(async () => ({ status: 500, body: new Uint8Array() }));
  await using refusing = await startDoh(async (message) => {
    const body = message.slice();
    body.set([0x81, 0x85], 2);
    return { body };
  });
  await using unknown = await startDoh(async (message) => {
    const body = message.slice();
    body.set([0x81, 0x83], 2);
    return { body };
  });
  const verify = async (dohServers: string[]) => {
    await using edgehelm = await domainKernel({ config: { dohServers }, outbound: LOOPBACK });
    const { nsDomainId } = await createDomain(edgehelm, "ok.test");
    return await edgehelm.call(ada, service.verifyNSDomain, { nsDomainId });
  };
  expect(await verify([broken.url, refusing.url, unknown.url])).toMatchObject({ isOk: false, errorCode: "NSNotFound" });
  await expect(verify([broken.url, refusing.url])).rejects.toMatchObject({
    code: 503,
    message: expect.stringMatching(/HTTP status 500; .*DNS response code 5/),
  });
});

test("an address that is none stops the start and is named", async () => {
  await expect(domainKernel({ config: { dohServers: ["https://dns.example/dns-query", "9.9.9.9"] } }))
    .rejects.toThrow(/dohServers\.1: must be an address such as https:.*9\.9\.9\.9/);
});
