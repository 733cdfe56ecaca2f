import type { TestKernel } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { recordsOf } from "../../core/calls/audit/rig.ts";
import {
  admin,
  bytes,
  instanceOf,
  messageKernel,
  outcome,
  parsed,
  recipientOf,
  rpc,
} from "../message_task/message_rig.ts";

let edgehelm: TestKernel;
beforeAll(async () => {
  ({ edgehelm } = await messageKernel());
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function find(messageMediaInstanceId: bigint) {
  const found = await edgehelm.call(admin, rpc.findEnabledMessageMediaInstance, { messageMediaInstanceId });
  return found.messageMediaInstance;
}

test("an admin creates, updates and deletes an instance", async () => {
  const paramsJSON = bytes({ smtp: "smtp.test:465", username: "a@b.test", password: "very secret" });
  const mail = { mediaType: "email", paramsJSON, rateJSON: bytes({ minutes: 5, count: 10 }), hashLife: 120 };
  const messageMediaInstanceId = await instanceOf(edgehelm, { ...mail, name: "mail", description: "alerts" });
  const instance = (await find(messageMediaInstanceId))!;
  expect(instance).toMatchObject({
    name: "mail",
    isOn: true,
    description: "alerts",
    hashLife: 120,
    messageMedia: { type: "email", name: "Email" },
  });
  expect(parsed(instance.paramsJSON)).toMatchObject({ username: "a@b.test", password: "******" });
  expect(parsed(instance.rateJSON)).toEqual({ minutes: 5, count: 10 });

  const update = { messageMediaInstanceId, name: "renamed", mediaType: "email", isOn: true, hashLife: -1 };
  await edgehelm.call(admin, rpc.updateMessageMediaInstance, update);
  expect(await find(messageMediaInstanceId)).toMatchObject({
    name: "renamed",
    description: "",
    hashLife: -1,
    paramsJSON: instance.paramsJSON,
  });
  await expect(edgehelm.call(admin, rpc.updateMessageMediaInstance, { ...update, mediaType: "telegram" }))
    .rejects.toMatchObject({ code: 400, message: expect.stringMatching(/^paramsJSON: /) });
  const telegram = { ...update, mediaType: "telegram", paramsJSON: bytes({ token: "t" }) };
  await edgehelm.call(admin, rpc.updateMessageMediaInstance, telegram);
  expect(await find(messageMediaInstanceId)).toMatchObject({ messageMedia: { type: "telegram" } });

  const messageRecipientId = await recipientOf(edgehelm, messageMediaInstanceId);
  const deletion = { messageMediaInstanceId };
  await expect(edgehelm.call(admin, rpc.deleteMessageMediaInstance, deletion))
    .rejects.toMatchObject({ code: 409, message: expect.stringContaining('message recipient "ops"') });
  await edgehelm.call(admin, rpc.deleteMessageRecipient, { messageRecipientId });
  await edgehelm.call(admin, rpc.deleteMessageMediaInstance, deletion);
  expect(await find(messageMediaInstanceId)).toBeUndefined();
  await expect(edgehelm.call(admin, rpc.deleteMessageMediaInstance, deletion)).rejects.toMatchObject({ code: 404 });
});

test("a mask that is sent keeps the stored secret", async () => {
  const sent: unknown[] = [];
  const { edgehelm } = await messageKernel((message) => {
    sent.push(parsed(message.paramsJSON));
    return Promise.resolve(outcome());
  });
  await using _ = edgehelm;
  const headers = [{ name: "a", value: "secret a" }, { name: "b", value: "secret b" }];
  const params = { user: "ada", password: "very secret", headers };
  const messageMediaInstanceId = await instanceOf(edgehelm, { paramsJSON: bytes(params) });
  const find = async () => {
    const request = { messageMediaInstanceId };
    const { messageMediaInstance } = await edgehelm.call(admin, rpc.findEnabledMessageMediaInstance, request);
    return parsed(messageMediaInstance!.paramsJSON) as typeof params;
  };
  const send = () => edgehelm.call(admin, rpc.sendMessageTask, { messageMediaInstanceId, user: "u", subject: "s" });
  const update = (params: object) => {
    const request = { messageMediaInstanceId, name: "n", mediaType: "test", isOn: true, paramsJSON: bytes(params) };
    return edgehelm.call(admin, rpc.updateMessageMediaInstance, request);
  };
  const masked = { ...params, password: "******", headers: headers.map(({ name }) => ({ name, value: "******" })) };
  expect(await find()).toEqual(masked);
  // with another user, and the headers in another order
  await update({ ...masked, user: "bob", headers: masked.headers.toReversed() });
  await send();
  expect(sent).toEqual([{ ...params, user: "bob", headers: headers.toReversed() }]);
  await update({ ...masked, password: "new" });
  await send();
  expect(sent[1]).toEqual({ ...params, password: "new" });
});

test("secrets are masked in responses, and super admins read them on record", async () => {
  const params = { url: "https://hook.test/", password: "very secret", headers: [{ name: "a", value: "secret a" }] };
  const messageMediaInstanceId = await instanceOf(edgehelm, { name: "told on record", paramsJSON: bytes(params) });
  const { messageMediaInstances } = await edgehelm.call(admin, rpc.listEnabledMessageMediaInstances, {
    keyword: "told on record",
  });
  const masked = { ...params, password: "******", headers: [{ name: "a", value: "******" }] };
  expect(messageMediaInstances.map(({ paramsJSON }) => parsed(paramsJSON))).toEqual([masked]);
  expect(parsed((await find(messageMediaInstanceId))!.paramsJSON)).toEqual(masked);
  const readers = async () =>
    (await recordsOf(edgehelm)).filter(({ operation }) => /find|list/.test(operation)).map(({ callerId }) => callerId);
  // a mask is no secret: reading it is not on record
  expect(await readers()).toEqual([]);

  const found = await edgehelm.call(admin, rpc.findMessageMediaInstanceSecrets, { messageMediaInstanceId });
  expect(parsed(found.paramsJSON)).toEqual(params);
  expect(await readers()).toEqual([1n]);
  // a secret whose name does not say so is on record, too
  const paramsJSON = bytes({ webHookURL: "https://hooks.slack.test/services/secret" });
  const slack = { messageMediaInstanceId: await instanceOf(edgehelm, { mediaType: "slack", paramsJSON }) };
  await edgehelm.call(admin, rpc.findMessageMediaInstanceSecrets, slack);
  expect(await readers()).toEqual([1n, 1n]);
  await expect(edgehelm.call(admin, rpc.findMessageMediaInstanceSecrets, { messageMediaInstanceId: 404n }))
    .rejects.toMatchObject({ code: 404 });
});

test("a mask is refused where no secret is stored", async () => {
  const refused = { code: 400, message: expect.stringMatching(/^paramsJSON: must have the secrets themselves/) };
  await expect(instanceOf(edgehelm, { paramsJSON: bytes({ password: "******" }) })).rejects.toMatchObject(refused);
  const messageMediaInstanceId = await instanceOf(edgehelm);
  const update = { messageMediaInstanceId, name: "n", mediaType: "telegram", isOn: true };
  const request = { ...update, paramsJSON: bytes({ token: "******" }) };
  await expect(edgehelm.call(admin, rpc.updateMessageMediaInstance, request)).rejects.toMatchObject(refused);
});

test("parameters are not stored in clear text", async () => {
  await instanceOf(edgehelm, { mediaType: "telegram", paramsJSON: bytes({ token: "do-not-read-me" }), name: "sealed" });
  const tables = new Set(["messageMediaInstances"]);
  const { rows } = await edgehelm.engine.scan(
    {
      sql: "select params from messageMediaInstances where name = 'sealed'",
      scope: { owner: "message_media_instance", tables },
    },
    [],
    Date.now() + 5000,
  );
  expect(JSON.stringify(rows)).toContain("v1.");
  expect(JSON.stringify(rows)).not.toContain("read-me");
});

test("lists filter by media and keyword, newest first", async () => {
  const ids = [];
  for (const name of ["Find alpha", "find beta"]) ids.push(await instanceOf(edgehelm, { name }));
  const list = async (filter: object) => {
    const { messageMediaInstances } = await edgehelm.call(admin, rpc.listEnabledMessageMediaInstances, filter);
    expect((await edgehelm.call(admin, rpc.countAllEnabledMessageMediaInstances, filter)).count)
      .toBe(BigInt(messageMediaInstances.length));
    return messageMediaInstances.map(({ id }) => id);
  };
  expect(await list({ keyword: "FIND" })).toEqual(ids.toReversed());
  expect(await list({ keyword: "alpha", mediaType: "test" })).toEqual([ids[0]]);
  expect(await list({ keyword: "alpha", mediaType: "email" })).toEqual([]);
  await expect(list({ mediaType: "pigeon" })).rejects.toMatchObject({ code: 400 });
});

test.each([
  ["name", { name: "" }],
  ["mediaType", { mediaType: "script" }],
  ["paramsJSON", { paramsJSON: new Uint8Array() }],
  ["paramsJSON\\.url", { mediaType: "webHook", paramsJSON: bytes({}) }],
  ["rateJSON\\.minutes", { rateJSON: bytes({ minutes: -1 }) }],
  ["hashLife", { hashLife: -2 }],
])("createMessageMediaInstance refuses a wrong %s", async (field, wrong) => {
  await expect(instanceOf(edgehelm, wrong))
    .rejects.toMatchObject({ code: 400, message: expect.stringMatching(`^${field}: `) });
});
