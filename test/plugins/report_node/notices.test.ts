import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { as } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { admin, bytes, reportKernel, reportNode, rpc } from "./rig.ts";

/** What the hook got, and what it answers with. */
const got: { ipAddrs: { addrId: number; connectivity: number }[] }[] = [];
let status = 204;
let hook: Server;
let url: string;

beforeAll(async () => {
  hook = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    got.push(JSON.parse(body));
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/hook`;
});
afterAll(() => new Promise((resolve) => hook.close(resolve)));

test("the web hook hears of an address once until it is reached again, and again when it did not take it", async () => {
  const { edgehelm } = await reportKernel();
  await using _ = edgehelm;
  const nodes = [await reportNode(edgehelm, "one"), await reportNode(edgehelm, "two")];
  const found = async (targetId: bigint, ...oks: boolean[]) => {
    for (const [index, isOk] of oks.entries()) {
      const reportResults = [{ type: "ipAddr", targetId, isOk, costMs: 20 }];
      await edgehelm.call(as.report(nodes[index]!), rpc.updateReportResults, { reportResults });
    }
  };
  const round = async () => {
    got.length = 0;
    await edgehelm.kernel.runJob("report_node.tell");
    return got.flatMap(({ ipAddrs }) => ipAddrs.map(({ addrId, connectivity }) => `${addrId} ${connectivity}`));
  };
  await found(1n, true, false);
  await found(2n, false, false);
  await found(3n, true, true);
  expect(await round()).toEqual([]);
  const setting = { minNotifyConnectivity: 60, notifyWebHookURL: url };
  await edgehelm.call(admin, rpc.updateReportNodeGlobalSetting, { settingJSON: bytes(setting) });
  status = 500;
  expect(await round()).toEqual(["1 50", "2 0"]);
  status = 204;
  expect(await round()).toEqual(["1 50", "2 0"]);
  expect(await round()).toEqual([]);
  await found(1n, true, true);
  await found(3n, false, false);
  expect(await round()).toEqual(["3 0"]);
  await found(1n, false, false);
  expect(await round()).toEqual(["1 0"]);
});
