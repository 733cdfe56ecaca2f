import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { as } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { admin, bytes, reportKernel, reportNode, rpc } from "./rig.ts";

/** The notices that the webhook received. */
const notices: { ipAddrs: { addrId: number; connectivity: number }[] }[] = [];
/** The status that the webhook responds with. */
let status = 204;
let hook: Server;
let url: string;

beforeAll(async () => {
  hook = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    notices.push(JSON.parse(body));
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/hook`;
});
afterAll(() => new Promise((resolve) => hook.close(resolve)));

test("the webhook is notified of an address once until it is reachable again; failed notifications are retried", async () => {
  const { edgehelm } = await reportKernel({ outbound: { allow: ["127.0.0.0/8"] } });
  await using _ = edgehelm;
  const nodes = [await reportNode(edgehelm, "one"), await reportNode(edgehelm, "two")];
  const sendResults = async (targetId: bigint, ...oks: boolean[]) => {
    for (const [index, isOk] of oks.entries()) {
      const reportResults = [{ type: "ipAddr", targetId, isOk, costMs: 20 }];
      await edgehelm.call(as.report(nodes[index]!), rpc.updateReportResults, { reportResults });
    }
  };
  const runNotify = async () => {
    notices.length = 0;
    await edgehelm.kernel.runJob("report_node.notify");
    return notices.flatMap(({ ipAddrs }) => ipAddrs.map(({ addrId, connectivity }) => `${addrId} ${connectivity}`));
  };
  await sendResults(1n, true, false);
  await sendResults(2n, false, false);
  await sendResults(3n, true, true);
  expect(await runNotify()).toEqual([]);
  const setting = { minNotifyConnectivity: 60, notifyWebHookURL: url };
  await edgehelm.call(admin, rpc.updateReportNodeGlobalSetting, { settingJSON: bytes(setting) });
  status = 500;
  expect(await runNotify()).toEqual(["1 50", "2 0"]);
  status = 204;
  expect(await runNotify()).toEqual(["1 50", "2 0"]);
  expect(await runNotify()).toEqual([]);
  await sendResults(1n, true, true);
  await sendResults(3n, false, false);
  expect(await runNotify()).toEqual(["3 0"]);
  await sendResults(1n, false, false);
  expect(await runNotify()).toEqual(["1 0"]);
});
