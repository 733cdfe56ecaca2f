import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pebbleRuns } from "../../servers/pebble.ts";
import { admin, createDomain, createTask, findTask, openRig, type Rig, rpc } from "./rig.ts";

const WAIT_SECONDS = 7200;

describe.runIf(pebbleRuns())("a provider that asks to wait", () => {
  let rig: Rig;
  let busy: Server;
  /** The orders that it got. */
  let orders = 0;
  beforeAll(async () => {
    busy = createServer((request, response) => {
      const { url, headers } = request;
      const at = (path: string) => `http://${headers.host}/${path}`;
      response.setHeader("replay-nonce", crypto.randomUUID());
      if (url === "/new-order") {
        orders++;
        const problem = { type: "urn:ietf:params:acme:error:rateLimited", detail: "too many certificates" };
        const type = "application/problem+json";
        response.writeHead(429, { "retry-after": String(WAIT_SECONDS), "content-type": type });
        return response.end(JSON.stringify(problem));
      }
      if (url === "/new-account") response.setHeader("location", at("account/1"));
      const names = ["newNonce", "newAccount", "newOrder", "revokeCert", "keyChange"];
      const paths = names.map((name) => [name, at(name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`))]);
      response.end(JSON.stringify(Object.fromEntries(paths)));
    });
    await new Promise<void>((resolve) => busy.listen(0, "127.0.0.1", resolve));
    const apiURL = `http://127.0.0.1:${(busy.address() as AddressInfo).port}/directory`;
    rig = await openRig({ config: { acme_provider: { providers: [{ code: "pebble", apiURL }] } } });
  }, 120_000);
  afterAll(async () => {
    await rig[Symbol.asyncDispose]();
    busy.closeAllConnections();
    await new Promise((resolve) => busy.close(resolve));
  });

  test("is not asked again by any task of the account before that time", async () => {
    await createDomain(rig, "busy.example.com");
    const names = { authType: "dns", dnsDomain: "busy.example.com", domains: ["busy.example.com"] };
    const id = await createTask(rig, names);
    const run = () => rig.edgehelm.kernel.runJob("acme_task.orders");
    await run();
    expect(orders).toBe(1);
    const delayed = await findTask(rig, id);
    expect(delayed).toMatchObject({ step: "new", countFailures: 0n });
    expect(delayed.latestACMETaskLog).toMatchObject({
      isOk: false,
      error: expect.stringContaining("too many certificates"),
    });
    expect(Number(delayed.nextAt)).toBe(Math.floor(rig.clock.now() / 1000) + WAIT_SECONDS);

    const other = { ...names, acmeUserId: delayed.acmeUser!.id, domains: ["www.busy.example.com"], autoRenew: true };
    await rig.edgehelm.call(admin, rpc.createACMETask, other);
    rig.clock.advance(WAIT_SECONDS - 60);
    await run();
    expect(orders).toBe(1);
    rig.clock.advance(120);
    await run();
    expect(orders).toBeGreaterThan(1);
  }, 120_000);
});
