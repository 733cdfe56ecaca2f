import { X509Certificate } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SSLCertService } from "../../../plugins/ssl_cert/proto/service_ssl_cert_pb.ts";
import { pebbleRuns } from "../../servers/pebble.ts";
import { admin, createDomain, createSite, createTask, openRig, type Rig, rpc, runUntil } from "./rig.ts";

describe.runIf(pebbleRuns())("orders", () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await openRig();
  }, 120_000);
  afterAll(() => rig[Symbol.asyncDispose]());

  async function certificateOf(sslCertId: bigint) {
    const { sslCertJSON } = await rig.edgehelm.call(admin, SSLCertService.method.findEnabledSSLCertConfig, {
      sslCertId,
    });
    const config = JSON.parse(new TextDecoder().decode(sslCertJSON));
    return { config, x509: new X509Certificate(atob(config.certData)) };
  }

  test("names are proved by DNS records, with a wildcard, and the records are removed", async () => {
    await createDomain(rig, "dns.example.com");
    const domains = ["dns.example.com", "*.dns.example.com"];
    const id = await createTask(rig, { authType: "dns", dnsDomain: "dns.example.com", domains });
    const task = await runUntil(rig, id, ({ latestACMETaskLog }) => latestACMETaskLog !== undefined);
    expect(task).toMatchObject({ step: "", countFailures: 0n, latestACMETaskLog: { isOk: true, error: "" } });
    const { config, x509 } = await certificateOf(task.sslCert!.id);
    expect(config).toMatchObject({ isOn: true, isACME: true, dnsNames: expect.arrayContaining(domains) });
    expect(x509.subjectAltName).toContain("DNS:*.dns.example.com");
    expect(rig.dns.questions.filter(({ name }) => name === "_acme-challenge.dns.example.com").length).toBeGreaterThan(
      0,
    );
    expect(Number(task.nextAt)).toBeLessThanOrEqual(Number(task.sslCert!.timeEndAt) - 30 * 86_400);
  }, 180_000);

  test("names are proved by a node that serves the site", async () => {
    rig.node = await createSite(rig, ["www.example.net", "example.net"]);
    const id = await createTask(rig, { authType: "http", domains: ["www.example.net", "example.net"] });
    const task = await runUntil(rig, id, ({ latestACMETaskLog }) => latestACMETaskLog !== undefined);
    expect(task.latestACMETaskLog).toMatchObject({ isOk: true });
    expect(task.sslCert).toMatchObject({ isACME: true, acmeTaskId: id, dnsNames: ["www.example.net", "example.net"] });
  }, 180_000);

  test("a node of another cluster cannot prove the name of a site that it does not serve", async () => {
    await createSite(rig, ["victim.example.net"]);
    rig.node = await createSite(rig, ["other.example.net"]);
    const id = await createTask(rig, { authType: "http", domains: ["victim.example.net"] });
    const task = await runUntil(rig, id, ({ latestACMETaskLog }) => latestACMETaskLog !== undefined);
    expect(task).toMatchObject({ countFailures: 1n, step: "" });
    expect(task.latestACMETaskLog).toMatchObject({ isOk: false, error: expect.stringContaining("victim.example.net") });
    expect(task.sslCert).toBeUndefined();
    const logs = await rig.edgehelm.call(admin, rpc.listACMETaskLogs, { acmeTaskId: id });
    expect(logs.acmeTaskLogs).toHaveLength(1);
  }, 180_000);
});
