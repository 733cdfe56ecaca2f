import type { TestKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ada, createDomain, createRecord, recordKernel, rpc } from "./rig.ts";

let edgehelm: TestKernel;
let nsDomainId: bigint;
beforeAll(async () => {
  edgehelm = await recordKernel();
  nsDomainId = await createDomain(edgehelm, ada, "zone.test");
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

describe("record names are normalized", () => {
  test.each([
    ["WWW", "www"],
    ["", "@"],
    ["@", "@"],
    ["Zone.test.", "@"],
    ["a.zone.test.", "a"],
    ["*", "*"],
    ["*.b", "*.b"],
    ["_sip._tcp", "_sip._tcp"],
    ["bücher", "xn--bcher-kva"],
  ])("%j becomes %j", async (name, normalized) => {
    const value = `for ${name} ${normalized}`;
    expect(await createRecord(edgehelm, ada, { nsDomainId, name, type: "TXT", value })).toMatchObject({
      name: normalized,
    });
  });

  test.each(["a b", "a..b", "-a", "b.*", "a*", "x.other.test.", "a".repeat(64), `${"a.".repeat(123)}aa`, "a/b"])(
    "%j is refused",
    async (name) => {
      const creating = edgehelm.call(ada, rpc.createNSRecord, { nsDomainId, name, type: "TXT", value: "x" });
      await expect(creating).rejects.toMatchObject({ code: 400, message: expect.stringMatching(/^name: /) });
    },
  );
});

describe("record values are validated by type and normalized", () => {
  const fields = { mxPriority: 10, srvPriority: 1, srvWeight: 2, srvPort: 5060, caaFlag: 128, caaTag: "Issue" };
  const [mx, srv, caa] = [
    { mxPriority: 10 },
    { srvPriority: 1, srvWeight: 2, srvPort: 5060 },
    { caaFlag: 128, caaTag: "issue" },
  ];
  test.each([
    ["A", " 192.0.2.1 ", "192.0.2.1", {}],
    ["aaaa", "2001:DB8:0:0::1", "2001:db8::1", {}],
    ["CNAME", " Target.Example.com. ", "Target.Example.com.", {}],
    ["CNAME", "www", "www", {}],
    ["CNAME", "bücher.example", "bücher.example", {}],
    ["NS", "ns1.example.com", "ns1.example.com", {}],
    ["PTR", "host.example.com.", "host.example.com.", {}],
    ["MX", "mx.example.com", "mx.example.com", mx],
    ["MX", ".", ".", mx],
    ["SRV", "_x.example.com", "_x.example.com", srv],
    ["TXT", ' v=spf1 "-all" ', ' v=spf1 "-all" ', {}],
    ["CAA", "letsencrypt.org; validationmethods=dns-01", "letsencrypt.org; validationmethods=dns-01", caa],
    ["CAA", ";", ";", caa],
    ["HTTPS", "1  . alpn=h3,h2 ipv4hint=192.0.2.1 port=8443", "1 . alpn=h3,h2 ipv4hint=192.0.2.1 port=8443", {}],
    ["SVCB", "0  Svc.example.com.", "0 Svc.example.com.", {}],
    ["SVCB", "2 a.b mandatory=alpn alpn=h2 key667=x", "2 a.b mandatory=alpn alpn=h2 key667=x", {}],
  ])("%s %j", async (type, input, normalized, typeFields) => {
    const name = `${type}-${input}`.toLowerCase().replace(/[^a-z0-9]+/g, "").slice(0, 40);
    const record = await createRecord(edgehelm, ada, { nsDomainId, name, type, value: input, ...fields });
    const none = { mxPriority: 0, srvPriority: 0, srvWeight: 0, srvPort: 0, caaFlag: 0, caaTag: "" };
    expect(record).toMatchObject({
      type: type.toUpperCase(),
      value: normalized,
      ttl: 600,
      isOn: true,
      isUp: true,
      ...none,
      ...typeFields,
    });
  });

  test("a SOA record is allowed only at the domain itself, once", async () => {
    const soa = { nsDomainId, type: "SOA", value: "ns1.zone.test. hostmaster@zone.test 7 7200 3600 1209600 300" };
    await expect(edgehelm.call(ada, rpc.createNSRecord, { ...soa, name: "www" })).rejects.toMatchObject({ code: 400 });
    expect(await createRecord(edgehelm, ada, { ...soa, name: "@" }))
      .toMatchObject({ value: "ns1.zone.test. hostmaster.zone.test 7 7200 3600 1209600 300" });
    const value = "ns2.zone.test hostmaster.zone.test 8 7200 3600 1209600 300";
    await expect(edgehelm.call(ada, rpc.createNSRecord, { ...soa, name: "@", value }))
      .rejects.toMatchObject({ code: 409, reason: "ns_record.second_soa" });
  });

  test.each([
    ["A", "192.0.2.256", {}],
    ["A", "2001:db8::1", {}],
    ["AAAA", "192.0.2.1", {}],
    ["CNAME", "1.2.3.4", {}],
    ["CNAME", "", {}],
    ["MX", "mx.example.com", { mxPriority: 65536 }],
    ["SRV", "a.example.com", { srvPort: -1 }],
    ["TXT", "", {}],
    ["TXT", "two\nlines", {}],
    ["TXT", "x".repeat(4097), {}],
    ["CAA", "letsencrypt.org", { caaTag: "" }],
    ["CAA", "not a name", { caaTag: "issue" }],
    ["CAA", "ftp://x", { caaTag: "iodef" }],
    ["CAA", "letsencrypt.org", { caaTag: "issue", caaFlag: 256 }],
    ["HTTPS", ". alpn=h2", {}],
    ["HTTPS", "0 . alpn=h2", {}],
    ["HTTPS", "1 . alpn=h2 alpn=h3", {}],
    ["HTTPS", "1 . port=70000", {}],
    ["HTTPS", "1 . ipv4hint=2001:db8::1", {}],
    ["HTTPS", "1 . mandatory=port", {}],
    ["HTTPS", "1 . color=red", {}],
    ["SOA", "ns1 host 1 2 3 4", {}],
    ["WKS", "x", {}],
    ["TXT", "x", { ttl: -1 }],
    ["TXT", "x", { weight: 65536 }],
  ])("%s %j %j is refused", async (type, value, overrides) => {
    const creating = edgehelm.call(ada, rpc.createNSRecord, {
      nsDomainId,
      name: type === "SOA" ? "@" : "bad",
      type,
      value,
      ...overrides,
    });
    await expect(creating).rejects.toMatchObject({ code: 400 });
  });

  test("a CNAME is refused at the domain itself", async () => {
    const creating = edgehelm.call(ada, rpc.createNSRecord, { nsDomainId, name: "@", type: "CNAME", value: "a.test" });
    await expect(creating).rejects.toMatchObject({ code: 400, message: expect.stringMatching(/^name: /) });
  });
});
