import type { TestKernel } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { admin, bytes, instanceOf, messageKernel, outcome, rpc } from "../message_task/message_rig.ts";

const HOST = { canSend: true, send: async () => outcome() };
/** Parameters of each media that names a host, with the member that contains it. */
const MEDIA = [
  ["webHook", "url", (host: string) => ({ url: `http://${host}/alerts` })],
  ["email", "smtp", (host: string) => ({ smtp: `${host}:25`, from: "alerts@edge.test", encryption: "none" })],
  ["slack", "webHookURL", (host: string) => ({ webHookURL: `https://${host}/alerts` })],
  ["dingTalk", "webHookURL", (host: string) => ({ webHookURL: `https://${host}/alerts` })],
  ["qyWeixinRobot", "webHookURL", (host: string) => ({ webHookURL: `https://${host}/alerts` })],
] as const;

let strict: TestKernel;
let open: TestKernel;
beforeAll(async () => {
  ({ edgehelm: strict } = await messageKernel(undefined, { host: HOST }));
  ({ edgehelm: open } = await messageKernel(undefined, { host: HOST, outbound: { allow: ["10.0.0.0/8"] } }));
});
afterAll(async () => {
  await strict[Symbol.asyncDispose]();
  await open[Symbol.asyncDispose]();
});

const save = (edgehelm: TestKernel, mediaType: string, params: object) =>
  instanceOf(edgehelm, { mediaType, paramsJSON: bytes(params) });
const count = async () => (await strict.call(admin, rpc.countAllEnabledMessageMediaInstances, {})).count;

test.each(MEDIA)("a private host of %s is refused when it is saved, unless the installation allows it", async (
  mediaType,
  member,
  paramsOf,
) => {
  const before = await count();
  for (const host of ["10.0.0.5", "127.0.0.1", "[::1]", "[::ffff:10.0.0.5]", "169.254.169.254", "localhost"]) {
    await expect(save(strict, mediaType, paramsOf(host)), host).rejects.toMatchObject({
      ...{ code: 400, reason: "kernel.invalid_field" },
      message: expect.stringMatching(new RegExp(`^paramsJSON\\.${member}: .*which outbound\\.allow does not contain`)),
    });
  }
  expect(await count()).toBe(before);
  await save(open, mediaType, paramsOf("10.0.0.5"));
  await expect(save(open, mediaType, paramsOf("192.168.0.5"))).rejects.toMatchObject({ code: 400 });
  await save(strict, mediaType, paramsOf("no-such-host.invalid"));
});

test("a change to a private host is refused, and one that keeps the parameters is not", async () => {
  const messageMediaInstanceId = await save(strict, "webHook", { url: "https://no-such-host.invalid/" });
  const change = (more: object) =>
    strict.call(admin, rpc.updateMessageMediaInstance, {
      ...{ messageMediaInstanceId, name: "hook", mediaType: "webHook", isOn: true },
      ...more,
    });
  await expect(change({ paramsJSON: bytes({ url: "http://10.0.0.5/" }) })).rejects.toMatchObject({ code: 400 });
  await change({ name: "renamed" });
  const { messageMediaInstance } = await strict.call(admin, rpc.findEnabledMessageMediaInstance, {
    messageMediaInstanceId,
  });
  expect(new TextDecoder().decode(messageMediaInstance!.paramsJSON)).toContain("no-such-host.invalid");
});
