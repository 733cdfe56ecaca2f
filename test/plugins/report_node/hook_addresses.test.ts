import { as } from "edgehelm/testing";
import { expect, test } from "vitest";
import { createLogger } from "../../../core/base/log.ts";
import { systemClock } from "../../../core/base/clock.ts";
import { type Peer, peer } from "../../host/outbound/peers.ts";
import { admin, bytes, reportKernel, reportNode, rpc } from "./rig.ts";

/** Has the web hook at `url` notified of an unreachable address, and returns the lines of the log. */
async function notify(url: string, outbound = {}): Promise<string> {
  let lines = "";
  const log = createLogger({ level: "warn", write: (line) => lines += line, clock: systemClock });
  const { edgehelm } = await reportKernel({ outbound, log });
  await using _ = edgehelm;
  const node = await reportNode(edgehelm, "one");
  const reportResults = [{ type: "ipAddr", targetId: 1n, isOk: false, costMs: 20 }];
  await edgehelm.call(as.report(node), rpc.updateReportResults, { reportResults });
  const setting = { minNotifyConnectivity: 60, notifyWebHookURL: url };
  await edgehelm.call(admin, rpc.updateReportNodeGlobalSetting, { settingJSON: bytes(setting) });
  await edgehelm.kernel.runJob("report_node.notify");
  return lines;
}

test.each([
  ["127.0.0.1", "loopback"],
  ["localhost", "loopback"],
  ["0x7f000001", "loopback"],
  ["[::ffff:7f00:1]", "loopback"],
  ["10.0.0.5", "private"],
  ["169.254.169.254", "link-local"],
])("a web hook at %s is refused when it is saved", async (host, kind) => {
  const { edgehelm } = await reportKernel();
  await using _ = edgehelm;
  const kept = { settingJSON: bytes({ minNotifyConnectivity: 60, notifyWebHookURL: "" }) };
  await edgehelm.call(admin, rpc.updateReportNodeGlobalSetting, kept);
  const setting = { minNotifyConnectivity: 70, notifyWebHookURL: `http://${host}/hook` };
  await expect(edgehelm.call(admin, rpc.updateReportNodeGlobalSetting, { settingJSON: bytes(setting) })).rejects
    .toThrow(new RegExp(`^settingJSON\\.notifyWebHookURL: "[^"]+" has a ${kind} address`));
  expect(await edgehelm.call(admin, rpc.readReportNodeGlobalSetting, {})).toMatchObject({
    settingJSON: kept.settingJSON,
  });
});

test("a web hook's 307 to another port is not followed, and the body goes nowhere else", async () => {
  await using target = await peer();
  await using server: Peer = await peer((_request, response) => {
    response.writeHead(307, { location: `${target.url}/hook` }).end();
  });
  const lines = await notify(`${server.url}/hook`, { allow: ["127.0.0.0/8"] });
  expect(lines).toContain("redirects with status 307, which would send the body");
  expect(server.received).toHaveLength(1);
  expect(target.received).toEqual([]);
});
