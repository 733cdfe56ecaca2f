import { expect, test } from "vitest";
import type { MailTransport, OutgoingMail } from "../../plugins/message_media/drivers/mail_transport.ts";
import { delivered, refused } from "../../plugins/message_media/results.ts";
import { json, openDay } from "./day_rig.ts";

const NOON = new Date(2030, 0, 15, 12).getTime();

test("Messages: a media instance, a recipient, and the result of each message", async () => {
  const sent: OutgoingMail[] = [];
  const transport: MailTransport = {
    async send(_call, mail) {
      sent.push(mail);
      return mail.subject === "bounces" ? refused("550 no such user") : delivered("250 ok");
    },
  };
  await using day = await openDay({ at: NOON, hosts: { message_media: transport } });
  const { admin } = day;

  // The admin lists the media, and creates an instance of one.
  const { messageMedias } = await admin.post("MessageMediaService/findAllMessageMedias");
  const types = messageMedias.map(({ type }: { type: string }) => type);
  expect(types).toEqual(expect.arrayContaining(["email", "webHook"]));
  expect(types).not.toContain("script");
  const service = "MessageMediaInstanceService";
  const email = { smtp: "smtp.edge.test:587", username: "edge", password: "secret", from: "edge@edge.test" };
  const instance = { name: "mail", mediaType: "email", paramsJSON: email, hashLife: 300 };
  expect(await admin.error(`${service}/createMessageMediaInstance`, { ...instance, mediaType: "pigeon" }))
    .toMatchObject({ code: 400 });
  const { messageMediaInstanceId } = await admin.post(`${service}/createMessageMediaInstance`, instance);
  const rate = { messageMediaInstanceId, ...instance, isOn: true, rateJSON: { minutes: 1, count: 2 } };
  await admin.post(`${service}/updateMessageMediaInstance`, rate);
  const find = { messageMediaInstanceId };
  const { messageMediaInstance } = await admin.post(`${service}/findEnabledMessageMediaInstance`, find);
  expect(messageMediaInstance).toMatchObject({ name: "mail", messageMedia: { type: "email" }, hashLife: 300 });
  expect(json(messageMediaInstance.rateJSON)).toEqual({ minutes: 1, count: 2 });
  const { messageMediaInstances } = await admin.post(`${service}/listEnabledMessageMediaInstances`, { keyword: "MAI" });
  expect(messageMediaInstances).toMatchObject([{ id: messageMediaInstanceId, hashLife: 300 }]);

  // The admin creates a recipient.
  const { adminId } = await admin.post("AdminService/createAdmin", {
    ...{ username: "ops", password: "ops walk in the rain", fullname: "Operations", canLogin: true, isSuper: false },
  });
  const group = await admin.post("MessageRecipientGroupService/createMessageRecipientGroup", { name: "on call" });
  const { messageRecipientId } = await admin.post("MessageRecipientService/createMessageRecipient", {
    ...{ adminId, messageMediaInstanceId, user: "ops@edge.test", timeFrom: "08:00:00", timeTo: "20:00:00" },
    messageRecipientGroupIds: [group.messageRecipientGroupId],
  });

  // Messages are queued, primary ones first; duplicates are dropped.
  const create = async (subject: string, overrides: object = {}) =>
    (await admin.post("MessageTaskService/createMessageTask", {
      messageRecipientId,
      subject,
      body: "text",
      ...overrides,
    }))
      .messageTaskId as number;
  await create("bounces");
  const later = await create("later");
  const first = await create("first", { isPrimary: true });
  expect(await create("first", { isPrimary: true })).toBe(0);
  const list = async (status: number) => {
    const { messageTasks } = await admin.post("MessageTaskService/listMessageTasksWithStatus", { status, size: 10 });
    expect((await admin.post("MessageTaskService/countMessageTasksWithStatus", { status })).count)
      .toBe(messageTasks.length);
    return messageTasks.map(({ subject }: { subject: string }) => subject);
  };
  expect(await list(0)).toEqual(["first", "bounces", "later"]);

  // Two messages per minute are sent; a failed message has an error, and can be queued again.
  await day.job("message_task.send");
  expect(sent.map(({ subject, to }) => [subject, to]))
    .toEqual([["first", "ops@edge.test"], ["bounces", "ops@edge.test"]]);
  expect([await list(0), await list(2), await list(3)]).toEqual([["later"], ["first"], ["bounces"]]);
  const task = async (messageTaskId: number) =>
    (await admin.post("MessageTaskService/findEnabledMessageTask", { messageTaskId })).messageTask;
  expect(await task(first)).toMatchObject({ status: 2, result: { isOk: true, response: "250 ok" } });
  day.clock.advance(61);
  await day.job("message_task.send");
  expect((await task(later)).status).toBe(2);
  await admin.post("MessageTaskService/updateMessageTaskStatus", { messageTaskId: later, status: 0 });
  expect(await list(0)).toEqual(["later"]);

  // A message is deleted; the instance can be deleted after its recipients.
  await admin.post("MessageTaskService/deleteMessageTask", { messageTaskId: later });
  expect(await task(later)).toBeUndefined();
  expect(await admin.error(`${service}/deleteMessageMediaInstance`, { messageMediaInstanceId }))
    .toMatchObject({ code: 409, message: expect.stringContaining("recipient") });
  await admin.post("MessageRecipientService/deleteMessageRecipient", { messageRecipientId });
  await admin.post(`${service}/deleteMessageMediaInstance`, { messageMediaInstanceId });
  await admin.post("MessageRecipientGroupService/deleteMessageRecipientGroup", group);
  expect((await admin.post(`${service}/countAllEnabledMessageMediaInstances`)).count).toBe(0);
  await day.job("message_task.clean");
  expect(await list(2)).toEqual([]);
});
