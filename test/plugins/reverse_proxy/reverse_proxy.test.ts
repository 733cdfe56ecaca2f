import { expect, test } from "vitest";
import { ada, bytes, changed, configOf, edgehelm, origin, refs, rpc, sites, useKernel } from "./rig.ts";

useKernel();

test("a user configures a proxy, and its configuration includes the origins", async () => {
  const first = await origin(ada, "198.51.100.1");
  const second = await origin(ada, "198.51.100.2");
  const scheduling = { code: "sticky", options: { type: "cookie", param: "chosen" } };
  const { reverseProxyId } = await edgehelm.call(ada, rpc.createReverseProxy, {
    schedulingJSON: bytes(scheduling),
    primaryOriginsJSON: refs(second, first),
  });
  sites.set(reverseProxyId, { id: 31n, userId: 7n });
  const config = await configOf(reverseProxyId);
  expect(config).toMatchObject({
    id: Number(reverseProxyId),
    isOn: true,
    primaryOriginRefs: [{ isOn: true, originId: Number(second) }, { isOn: true, originId: Number(first) }],
    primaryOrigins: [{ addr: { host: "198.51.100.2" } }, { addr: { host: "198.51.100.1" } }],
    backupOrigins: [],
    backupOriginRefs: [],
    scheduling: { code: "sticky", options: { key: "", type: "cookie", param: "chosen" } },
    requestHostType: 0,
    requestHost: "",
    retry50X: false,
    retry40X: false,
    addHeaders: ["X-Real-IP", "X-Forwarded-For", "X-Forwarded-By", "X-Forwarded-Host", "X-Forwarded-Proto"],
    maxFails: 0,
    followRedirects: false,
  });

  await edgehelm.call(ada, rpc.updateReverseProxyBackupOrigins, { reverseProxyId, originsJSON: refs(first) });
  await edgehelm.call(ada, rpc.updateReverseProxyPrimaryOrigins, { reverseProxyId, originsJSON: bytes([]) });
  await edgehelm.call(ada, rpc.updateReverseProxyScheduling, { reverseProxyId, schedulingJSON: bytes({}) });
  await edgehelm.call(ada, rpc.updateReverseProxy, {
    reverseProxyId,
    requestHostType: 2,
    requestHost: "inside.example.com",
    addHeaders: ["X-Real-IP"],
    retry50X: true,
    connTimeoutJSON: bytes({ count: 3, unit: "second" }),
    proxyProtocolJSON: bytes({ isOn: true, version: 2 }),
  });
  expect(await configOf(reverseProxyId)).toMatchObject({
    primaryOrigins: [],
    backupOrigins: [{ addr: { host: "198.51.100.1" } }],
    scheduling: { code: "random" },
    requestHostType: 2,
    requestHost: "inside.example.com",
    addHeaders: ["X-Real-IP"],
    retry50X: true,
    connTimeout: { count: 3, unit: "second" },
    proxyProtocol: { isOn: true, version: 2 },
  });
  expect(changed).toEqual([31n, 31n, 31n, 31n]);
});
