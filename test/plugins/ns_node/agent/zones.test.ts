import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { knotRuns } from "../../../servers/knot.ts";
import { DNSSite, type Machine, refuses, serialOf, serves } from "./rig.ts";

describe.skipIf(!knotRuns())("an agent with Knot", () => {
  let site: DNSSite;
  let machine: Machine;
  beforeAll(async () => {
    site = await DNSSite.open();
    machine = await site.machine();
  });
  afterAll(() => site?.[Symbol.asyncDispose]());

  test("serves domains, and records that appear, change and disappear", async () => {
    const nsDomainId = await site.domain("first.test");
    const nsRecordId = await site.record(nsDomainId, "www", "A", "192.0.2.1");
    await serves(machine, "www.first.test", "A", "192.0.2.1");
    await serves(machine, "first.test", "NS", "ns1.edge.test.", "ns2.edge.test.");
    const before = await serialOf(machine, "first.test");
    const change = { nsRecordId, name: "www", type: "A", value: "192.0.2.2", isOn: true };
    await site.call("NSRecordService/updateNSRecord", change);
    await serves(machine, "www.first.test", "A", "192.0.2.2");
    expect(await serialOf(machine, "first.test")).toBeGreaterThan(before);
    await site.call("NSRecordService/deleteNSRecord", { nsRecordId });
    await serves(machine, "www.first.test", "A");
    await site.call("NSDomainService/deleteNSDomain", { nsDomainId });
    await refuses(machine, "first.test");
  });

  test("serves records of all types as they were written", async () => {
    const nsDomainId = await site.domain("types.test");
    await site.record(nsDomainId, "a", "A", "192.0.2.1");
    await site.record(nsDomainId, "a", "A", "192.0.2.2", { ttl: 60 });
    await site.record(nsDomainId, "a", "AAAA", "2001:db8::1");
    await site.record(nsDomainId, "*", "CNAME", "a");
    await site.record(nsDomainId, "@", "MX", "mail.example.net", { mxPriority: 10 });
    await site.record(nsDomainId, "sub", "NS", "ns.example.net");
    await site.record(nsDomainId, "t", "TXT", `say "hi"; back\\slash $HOME ö ${"long ".repeat(60)}`);
    await site.record(nsDomainId, "_sip._tcp", "SRV", "sip", { srvPriority: 1, srvWeight: 2, srvPort: 5060 });
    await site.record(nsDomainId, "@", "CAA", "letsencrypt.org; a=b", { caaFlag: 128, caaTag: "issue" });
    await site.record(nsDomainId, "ptr", "PTR", "host.example.net");
    await site.record(nsDomainId, "@", "HTTPS", "1 . alpn=h2,h3 ipv4hint=192.0.2.1");
    await site.record(nsDomainId, "_s", "SVCB", "2 svc.example.net. port=8443");
    await serves(machine, "_s.types.test", "SVCB", "2 svc.example.net. port=8443");
    await serves(machine, "a.types.test", "A", "192.0.2.1", "192.0.2.2");
    expect(await machine.knot.dig("a.types.test", "A", "+noall", "+answer")).toMatch(/^a\.types\.test\.\t+60\t/);
    await serves(machine, "a.types.test", "AAAA", "2001:db8::1");
    await serves(machine, "x.types.test", "A", "192.0.2.1", "192.0.2.2", "a.types.test.");
    await serves(machine, "types.test", "MX", "10 mail.example.net.");
    expect(await machine.knot.dig("x.sub.types.test", "A")).toContain("ns.example.net.");
    const [text = ""] = await machine.knot.short("t.types.test", "TXT");
    expect(text).toMatch(/^"say \\"hi\\"; back\\\\slash \$HOME \\195\\182 long .*" ".*"$/);
    await serves(machine, "_sip._tcp.types.test", "SRV", "1 2 5060 sip.types.test.");
    await serves(machine, "types.test", "CAA", '128 issue "letsencrypt.org; a=b"');
    await serves(machine, "ptr.types.test", "PTR", "host.example.net.");
    await serves(machine, "types.test", "HTTPS", '1 . alpn="h2,h3" ipv4hint=192.0.2.1');
  });

  test("no longer serves a domain that is off, and serves it again", async () => {
    const nsDomainId = await site.domain("suspended.test");
    await site.record(nsDomainId, "www", "A", "192.0.2.1");
    await serves(machine, "www.suspended.test", "A", "192.0.2.1");
    await site.call("NSDomainService/updateNSDomainStatus", { nsDomainId, status: "forbidden" });
    await refuses(machine, "suspended.test");
    await site.call("NSDomainService/updateNSDomainStatus", { nsDomainId, status: "verified" });
    await serves(machine, "www.suspended.test", "A", "192.0.2.1");
  });

  test("takes over the hosts of the cluster", async () => {
    await site.domain("hosts.test");
    await serves(machine, "hosts.test", "NS", "ns1.edge.test.", "ns2.edge.test.");
    const cluster = { nsClusterId: site.nsClusterId, name: "dns", email: "dns@edge.test", isOn: true };
    await site.call("NSClusterService/updateNSCluster", { ...cluster, hosts: ["ns9.edge.test"] });
    await serves(machine, "hosts.test", "NS", "ns9.edge.test.");
    await site.call("NSClusterService/updateNSCluster", { ...cluster, hosts: ["ns1.edge.test", "ns2.edge.test"] });
    await serves(machine, "hosts.test", "NS", "ns1.edge.test.", "ns2.edge.test.");
  });

  test("lets those who have a key transfer a zone, and no others", async () => {
    const nsDomainId = await site.domain("moved.test");
    await site.record(nsDomainId, "www", "A", "192.0.2.1");
    const secret = Buffer.from("not a secret, only a test").toString("base64");
    const key = { nsDomainId, name: "transfer.test", algo: "hmac-sha256.", secret, secretType: "base64" };
    const { nsKeyId } = await site.call("NSKeyService/createNSKey", key);
    await serves(machine, "www.moved.test", "A", "192.0.2.1");
    const axfr = (given: string) => machine.knot.dig("AXFR", "moved.test", ...given === "" ? [] : ["-y", given]);
    const right = `hmac-sha256:transfer.test:${secret}`;
    expect(await axfr(right)).toContain("Transfer failed");
    const tsigJSON = Buffer.from(JSON.stringify({ isOn: true })).toString("base64");
    await site.call("NSDomainService/updateNSDomainTSIG", { nsDomainId, tsigJSON });
    await expect.poll(() => axfr(right)).toMatch(/www\.moved\.test\.\s+600\s+IN\s+A\s+192\.0\.2\.1/);
    expect(await axfr("")).toContain("Transfer failed");
    expect(await axfr(`hmac-sha256:transfer.test:${Buffer.from("wrong").toString("base64")}`)).toMatch(/failed|BADSIG/);
    await site.call("NSKeyService/deleteNSKey", { nsKeyId });
    await expect.poll(() => axfr(right)).toContain("Transfer failed");
  });
});
