import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pebbleRuns } from "../../servers/pebble.ts";
import { admin, countOrders, createDomain, createSite, createTask, findTask, openRig, type Rig, rpc } from "./rig.ts";

describe.runIf(pebbleRuns())("runACMETask", () => {
  let rig: Rig;
  let callback: Server;
  let status = 200;
  const received: Record<string, string>[] = [];
  beforeAll(async () => {
    rig = await openRig();
    callback = createServer(async (request, response) => {
      let text = "";
      for await (const chunk of request) text += chunk;
      received.push(JSON.parse(text));
      response.writeHead(status).end();
    });
    await new Promise<void>((resolve) => callback.listen(0, "127.0.0.1", resolve));
  }, 120_000);
  afterAll(async () => {
    callback.closeAllConnections();
    await new Promise((resolve) => callback.close(resolve));
    await rig[Symbol.asyncDispose]();
  });

  const authURL = () => `http://127.0.0.1:${(callback.address() as AddressInfo).port}/responses`;

  /** Runs a task, and lets the time of the steps pass. */
  async function run(acmeTaskId: bigint) {
    const timer = setInterval(() => rig.clock.advance(1), 50);
    try {
      return await rig.edgehelm.call(admin, rpc.runACMETask, { acmeTaskId });
    } finally {
      clearInterval(timer);
    }
  }

  test("orders a certificate that is not renewed by itself, and returns it", async () => {
    await createDomain(rig, "asked.example.com");
    const names = { authType: "dns", dnsDomain: "asked.example.com", domains: ["asked.example.com"] };
    const id = await createTask(rig, { ...names, autoRenew: false });
    await rig.edgehelm.kernel.runJob("acme_task.orders");
    expect(countOrders(rig)).toBe(0);
    const { isOk, error, sslCertId } = await run(id);
    expect([isOk, error]).toEqual([true, ""]);
    expect(await findTask(rig, id)).toMatchObject({ sslCert: { id: sslCertId, isOn: true }, nextAt: 0n, step: "" });
    expect(countOrders(rig)).toBe(1);
  }, 180_000);

  test("sends responses to the authURL", async () => {
    rig.node = await createSite(rig, ["callback.example.net"]);
    const names = { authType: "http", domains: ["callback.example.net"] };
    const id = await createTask(rig, { ...names, autoRenew: false, authURL: authURL() });
    expect(await run(id)).toMatchObject({ isOk: true, error: "" });
    expect(received).toEqual([{
      domain: "callback.example.net",
      token: expect.stringMatching(/^[\w-]+$/),
      key: expect.stringMatching(/^[\w-]+\.[\w-]+$/),
    }]);
    expect(received[0]!["key"]).toContain(`${received[0]!["token"]}.`);
  }, 180_000);

  test("returns the error of an authURL that refuses, and keeps the order", async () => {
    rig.node = await createSite(rig, ["refusing.example.net"]);
    status = 500;
    const names = { authType: "http", domains: ["refusing.example.net"] };
    const id = await createTask(rig, { ...names, autoRenew: false, authURL: authURL() });
    expect(await run(id)).toMatchObject({ isOk: false, error: "authURL returned status 500", sslCertId: 0n });
    expect(await findTask(rig, id)).toMatchObject({ step: "proving", countFailures: 0n });
    status = 200;
    const orders = countOrders(rig);
    expect(await run(id)).toMatchObject({ isOk: true, error: "" });
    expect(countOrders(rig)).toBe(orders);
  }, 180_000);

  test("returns the words of the provider for a rejected order", async () => {
    await createSite(rig, ["refused.example.net"]);
    rig.node = undefined;
    const id = await createTask(rig, { authType: "http", domains: ["refused.example.net"], autoRenew: false });
    const { isOk, error } = await run(id);
    expect(isOk).toBe(false);
    expect(error).toContain("refused.example.net");
    expect(await findTask(rig, id)).toMatchObject({ step: "", nextAt: 0n, countFailures: 1n });
  }, 180_000);
});
