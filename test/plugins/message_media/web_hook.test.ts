import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestKernel } from "edgehelm/testing";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { admin, bytes, instanceOf, messageKernel, rpc } from "../message_task/message_rig.ts";

/** A request that the receiver got. */
interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const LOOPBACK = { allow: ["127.0.0.0/8"] };
const received: Received[] = [];
let answer: { readonly status: number; readonly body: string; readonly headers?: Record<string, string> };
let receiver: Server;
let url: string;
let edgehelm: TestKernel;

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => body += chunk);
    request.on("end", () => {
      received.push({ method: request.method!, path: request.url!, headers: request.headers, body });
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  ({ edgehelm } = await messageKernel(undefined, { outbound: LOOPBACK }));
});
afterAll(async () => {
  await edgehelm[Symbol.asyncDispose]();
  receiver.close();
});
beforeEach(() => {
  received.length = 0;
  answer = { status: 200, body: "taken" };
});

const MESSAGE = { user: 'a "quoted" user', subject: "Node 3 & 4", body: 'since "12:04"' };

async function send(params: object, mediaType = "webHook") {
  const messageMediaInstanceId = await instanceOf(edgehelm, { mediaType, paramsJSON: bytes({ url, ...params }) });
  return await edgehelm.call(admin, rpc.sendMessageTask, { messageMediaInstanceId, ...MESSAGE });
}

test("a web hook sends JSON, with a signature that the library of Standard Webhooks accepts", async () => {
  const secret = `whsec_${btoa("0123456789abcdef0123456789abcdef")}`;
  // the library compares with the time of this machine
  const { edgehelm: now } = await messageKernel(undefined, { outbound: LOOPBACK, now: Date.now() });
  await using _ = now;
  const messageMediaInstanceId = await instanceOf(now, { mediaType: "webHook", paramsJSON: bytes({ url, secret }) });
  const sent = await now.call(admin, rpc.sendMessageTask, { messageMediaInstanceId, ...MESSAGE });
  expect(sent).toMatchObject({ isOk: true, response: "taken" });
  const { method, headers, body } = received[0]!;
  expect(method).toBe("POST");
  expect(headers["content-type"]).toBe("application/json");
  const verified = new Webhook(secret).verify(body, headers as Record<string, string>);
  expect(verified).toMatchObject({ type: "message", data: { ...MESSAGE, id: headers["webhook-id"] } });
  expect(() => new Webhook(secret).verify(`${body} `, headers as Record<string, string>)).toThrow();
});

test("a web hook sends its parameters, in the body or in the address", async () => {
  const params = [{ name: "text", value: "${MessageSubject}: ${MessageBody}" }, {
    name: "to",
    value: "${MessageUser}",
  }];
  const expected = { text: `${MESSAGE.subject}: ${MESSAGE.body}`, to: MESSAGE.user };
  await send({ params, headers: [{ name: "X-Team", value: "ops" }] });
  await send({ params, method: "GET" });
  const [posted, got] = received;
  expect(Object.fromEntries(new URLSearchParams(posted!.body))).toEqual(expected);
  expect(posted!.headers).toMatchObject({ "content-type": "application/x-www-form-urlencoded", "x-team": "ops" });
  expect(got).toMatchObject({ method: "GET", body: "" });
  expect(Object.fromEntries(new URL(got!.path, url).searchParams)).toEqual(expected);
});

test("a message cannot end a text of the configured JSON", async () => {
  await send({ contentType: "body", body: '{"a": {"text": "${MessageSubject}: ${MessageBody}"}}' });
  await send({ contentType: "body", body: "${MessageSubject}: ${MessageBody}" });
  expect(JSON.parse(received[0]!.body)).toEqual({ a: { text: `${MESSAGE.subject}: ${MESSAGE.body}` } });
  expect(received[1]).toMatchObject({
    body: `${MESSAGE.subject}: ${MESSAGE.body}`,
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
});

test("a status that is no success is an error with the words of the receiver, and a redirect is not followed", async () => {
  answer = { status: 410, body: "this hook is gone" };
  expect(await send({})).toMatchObject({ isOk: false, error: "status 410: this hook is gone" });
  answer = { status: 307, body: "", headers: { location: url } };
  expect(await send({})).toMatchObject({ isOk: false, error: "the provider responded with status 307" });
  expect(received.length).toBe(2);
});

test("a receiver on an internal address is refused unless the installation allows it", async () => {
  const { edgehelm: strict } = await messageKernel();
  await using _ = strict;
  const saved = instanceOf(strict, { mediaType: "webHook", paramsJSON: bytes({ url }) });
  await expect(saved).rejects.toMatchObject({
    code: 400,
    message: expect.stringMatching(/^paramsJSON\.url: .*loopback/),
  });
  expect(received).toEqual([]);
});

test("instances that send at the same time do not disturb each other", async () => {
  const kinds = ["a", "b", "c"];
  for (const kind of kinds) {
    // signing takes a while, in which another instance begins a transaction
    const secret = `whsec_${btoa("0123456789abcdef0123456789abcdef")}`;
    const instance = { mediaType: "webHook", paramsJSON: bytes({ url, secret }), hashLife: -1 };
    const messageMediaInstanceId = await instanceOf(edgehelm, instance);
    const message = { messageMediaInstanceId, user: kind, subject: "s", body: "b" };
    for (let count = 0; count < 20; count++) await edgehelm.call(admin, rpc.createMessageTask, message);
  }
  await edgehelm.kernel.runJob("message_task.send");
  expect(received.length).toBe(60);
  const { count } = await edgehelm.call(admin, rpc.countMessageTasksWithStatus, { status: 2 });
  expect(count).toBe(60n);
});
