import { describe, expect, test } from "vitest";
import type { OutgoingMessage } from "../../../plugins/message_media/contract.ts";
import { admin, bytes, messageKernel, outcome, rpc } from "../message_task/message_rig.ts";

test("media have a type, a name and descriptions, and none runs scripts", async () => {
  const { edgehelm } = await messageKernel();
  await using _ = edgehelm;
  const { messageMedias } = await edgehelm.call(admin, rpc.findAllMessageMedias, {});
  expect(messageMedias.map(({ type }) => type))
    .toEqual(["email", "webHook", "dingTalk", "qyWeixin", "qyWeixinRobot", "aliyunSms", "telegram", "slack", "test"]);
  expect(
    messageMedias.every(({ name, description, userDescription, isOn }) =>
      name !== "" && description !== "" && userDescription !== "" && isOn
    ),
  ).toBe(true);
});

describe("sendMediaMessage", () => {
  const validParams = {
    email: { smtp: "smtp.test:465", username: "a@b.test", password: "x" },
    webHook: { url: "http://hook.test/", method: "get", params: [{ name: "a", value: "${MessageBody}" }] },
    dingTalk: { webHookURL: "https://oapi.test/" },
    qyWeixin: { corporateId: "c", agentId: "a", appSecret: "s", textFormat: "markdown" },
    qyWeixinRobot: { webHookURL: "https://qy.test/" },
    aliyunSms: { sign: "s", templateCode: "t", accessKeyId: "i", accessKeySecret: "k", variables: [] },
    slack: { webHookURL: "https://hooks.test/services/1" },
  };

  test("checks the parameters of the media", async () => {
    const { edgehelm } = await messageKernel();
    await using _ = edgehelm;
    const send = (mediaType: string, options: unknown) =>
      edgehelm.call(admin, rpc.sendMediaMessage, { mediaType, optionsJSON: bytes(options), user: "u", subject: "s" });
    // .test resolves nowhere: the parameters are accepted, and nothing is sent
    for (const [type, options] of Object.entries(validParams)) {
      await expect(send(type, options)).rejects.toMatchObject({ code: 503 });
    }
    for (
      const [type, wrong, at] of [
        ["email", { smtp: "smtp.test" }, "optionsJSON.smtp"],
        ["email", { smtp: "smtp.test:25" }, "optionsJSON.from"],
        ["webHook", { url: "ftp://x" }, "optionsJSON.url"],
        ["webHook", { url: "http://x.test", method: "PUT" }, "optionsJSON.method"],
        ["webHook", { url: "http://x.test", headers: [{ value: "v" }] }, "optionsJSON.headers\\[0\\].name"],
        ["dingTalk", { webHookURL: "http://x.test" }, "optionsJSON.webHookURL"],
        ["qyWeixin", { corporateId: "c", agentId: "a" }, "optionsJSON.appSecret"],
        ["aliyunSms", {}, "optionsJSON.sign"],
        ["slack", { webHookURL: "http://x.test" }, "optionsJSON.webHookURL"],
        ["email", { smtp: "smtp.test:25", from: "a@b.test, c@d.test" }, "optionsJSON.from"],
        ["email", { smtp: "smtp.test:25", from: "a@b.test", encryption: "ssl" }, "optionsJSON.encryption"],
        ["webHook", { url: "http://x.test", secret: "short" }, "optionsJSON.secret"],
        [
          "webHook",
          { url: "http://x.test", headers: [{ name: "Host", value: "v" }] },
          "optionsJSON.headers\\[0\\].name",
        ],
        ["webHook", { url: "http://x.test", headers: [{ name: "a b", value: "v" }] }, "optionsJSON.headers\\[0\\]"],
        ["telegram", { token: "a/../b" }, "optionsJSON.token"],
        ["telegram", { token: " " }, "optionsJSON.token"],
        ["telegram", [], "optionsJSON"],
        ["script", {}, "mediaType"],
      ] as const
    ) {
      await expect(send(type, wrong)).rejects.toMatchObject({ code: 400, message: expect.stringMatching(`^${at}: `) });
    }
  });

  test("sends through the media of a plugin, and tells why a message was not delivered", async () => {
    const sent: OutgoingMessage[] = [];
    const { edgehelm } = await messageKernel((message) => {
      sent.push(message);
      return Promise.resolve(outcome({ isOk: message.user === "u", error: "550 no such user" }));
    });
    await using _ = edgehelm;
    const request = { mediaType: "test", optionsJSON: bytes({ a: 1 }), user: "u", subject: "s", body: "b" };
    await edgehelm.call(admin, rpc.sendMediaMessage, request);
    expect(sent).toMatchObject([{ user: "u", subject: "s", body: "b" }]);
    await expect(edgehelm.call(admin, rpc.sendMediaMessage, { ...request, user: "x" }))
      .rejects.toMatchObject({ code: 503, message: "message not delivered: 550 no such user" });
  });
});
