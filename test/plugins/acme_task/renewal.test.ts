import { X509Certificate } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OriginService } from "../../../plugins/origin/proto/service_origin_pb.ts";
import { SSLCertService } from "../../../plugins/ssl_cert/proto/service_ssl_cert_pb.ts";
import { pebbleRuns } from "../../servers/pebble.ts";
import { admin, countOrders, createDomain, createTask, findTask, openRig, type Rig, rpc, runUntil } from "./rig.ts";

describe.runIf(pebbleRuns())("renewal", () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await openRig({ rejectedNonces: 40 });
  }, 120_000);
  afterAll(() => rig[Symbol.asyncDispose]());

  async function configOf(sslCertId: bigint) {
    const { findEnabledSSLCertConfig } = SSLCertService.method;
    const { sslCertJSON } = await rig.edgehelm.call(admin, findEnabledSSLCertConfig, { sslCertId });
    return JSON.parse(new TextDecoder().decode(sslCertJSON));
  }

  async function serialOf(sslCertId: bigint): Promise<string> {
    return new X509Certificate(atob((await configOf(sslCertId)).certData)).serialNumber;
  }

  test("30 days before its end a certificate is replaced in place, and a revoked one is too", async () => {
    await createDomain(rig, "renewed.example.com");
    const names = { authType: "dns", dnsDomain: "renewed.example.com", domains: ["renewed.example.com"] };
    const id = await createTask(rig, names);
    const first = await runUntil(rig, id, ({ latestACMETaskLog }) => latestACMETaskLog !== undefined);
    expect(first.latestACMETaskLog).toMatchObject({ isOk: true });
    const sslCertId = first.sslCert!.id;
    const { originId } = await rig.edgehelm.call(admin, OriginService.method.createOrigin, {
      addr: { protocol: "https", host: "198.51.100.7", portRange: "443" },
      certRefJSON: new TextEncoder().encode(JSON.stringify({ isOn: true, certId: Number(sslCertId) })),
    });
    const before = (await configOf(sslCertId)).fingerprint;

    rig.clock.advance(Number(first.nextAt) - rig.clock.now() / 1000 - 60);
    await rig.edgehelm.kernel.runJob("acme_task.orders");
    expect(countOrders(rig)).toBe(1);
    rig.clock.advance(120);
    const second = await runUntil(rig, id, ({ latestACMETaskLog: log }) => log!.id !== first.latestACMETaskLog!.id);
    expect(second).toMatchObject({ sslCert: { id: sslCertId }, latestACMETaskLog: { isOk: true } });
    expect((await configOf(sslCertId)).fingerprint).not.toBe(before);
    expect(countOrders(rig)).toBe(2);
    const { originJSON } = await rig.edgehelm.call(admin, OriginService.method.findEnabledOriginConfig, { originId });
    expect(new TextDecoder().decode(originJSON)).toContain(`"certId":${sslCertId}`);

    const secondSerial = await serialOf(sslCertId);
    await rig.edgehelm.call(admin, rpc.revokeACMETaskCert, { acmeTaskId: id, reason: 4 });
    expect((await findTask(rig, id)).sslCert).toMatchObject({ isOn: false });
    const third = await runUntil(rig, id, ({ latestACMETaskLog: log }) => log!.id !== second.latestACMETaskLog!.id);
    expect(third.sslCert).toMatchObject({ id: sslCertId, isOn: true });
    expect(await rig.pebble.isRevoked(secondSerial)).toBe(true);
    expect(await rig.pebble.isRevoked(await serialOf(sslCertId))).toBe(false);
  }, 300_000);
});
