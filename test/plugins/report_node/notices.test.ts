import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { newWebhookSecret } from "edgehelm/auth";
import { as } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { admin, bytes, reportKernel, reportNode, rpc } from "./rig.ts";

/** The notices that the webhook received. */
const notices: { ipAddrs: { addrId: number; connectivity: number }[] }[] = [];
/** The signed parts of the last request to the webhook. */
let signed: { headers: Record<string, string>; body: string };
/** The status that the webhook responds with. */
let status = 204;
let hook: Server;
let url: string;

beforeAll(async () => {
  hook = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    notices.push(JSON.parse(body));
    signed = { headers: request.headers as Record<string, string>, body };
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
  expect(signed.headers).not.toHaveProperty("webhook-signature");

  const notifyWebHookSecret = newWebhookSecret();
  const signing = bytes({ ...setting, notifyWebHookSecret });
  await edgehelm.call(admin, rpc.updateReportNodeGlobalSetting, { settingJSON: signing });
  await sendResults(1n, true, true);
  await runNotify();
  await sendResults(1n, false, false);
  status = 500;
  await runNotify();
  const { "webhook-id": refusedId } = signed.headers;
  status = 204;
  expect(await runNotify()).toEqual(["1 0"]);
  expect(signed.headers["webhook-id"]).toBe(refusedId);
  const { headers: { "webhook-id": id = "", "webhook-timestamp": timestamp = "" }, body } = signed;
  const key = Buffer.from(notifyWebHookSecret.slice("whsec_".length), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  expect(signed.headers["webhook-signature"]).toBe(`v1,${expected}`);

  await sendResults(1n, true, true);
  await runNotify();
  await sendResults(1n, false, false);
  expect(await runNotify()).toEqual(["1 0"]);
  expect(signed.headers["webhook-id"]).not.toBe(refusedId);
});
