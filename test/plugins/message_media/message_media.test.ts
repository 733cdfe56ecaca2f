import { describe, expect, test } from "vitest";
import { admin, bytes, messageKernel, rpc } from "../message_task/message_rig.ts";

test("media have a type, a name and descriptions, and none runs scripts", async () => {
  const { edgehelm } = await messageKernel();
  await using _ = edgehelm;
  const { messageMedias } = await edgehelm.call(admin, rpc.findAllMessageMedias, {});
  expect(messageMedias.map(({ type }) => type))
    .toEqual(["email", "webHook", "dingTalk", "qyWeixin", "qyWeixinRobot", "aliyunSms", "telegram"]);
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
    telegram: { token: "t" },
  };

  test("checks the parameters of the media, and is unavailable without a message transport", async () => {
    const { edgehelm } = await messageKernel();
    await using _ = edgehelm;
    const send = (mediaType: string, options: unknown) =>
      edgehelm.call(admin, rpc.sendMediaMessage, { mediaType, optionsJSON: bytes(options), user: "u", subject: "s" });
    for (const [type, options] of Object.entries(validParams)) {
      await expect(send(type, options)).rejects.toMatchObject({
        code: 503,
        message: "no message transport is configured",
      });
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
        ["telegram", { token: " " }, "optionsJSON.token"],
        ["telegram", [], "optionsJSON"],
        ["script", {}, "mediaType"],
      ] as const
    ) {
      await expect(send(type, wrong)).rejects.toMatchObject({ code: 400, message: expect.stringMatching(`^${at}: `) });
    }
  });

  test("sends through the message transport", async () => {
    const sent: unknown[] = [];
    const { edgehelm } = await messageKernel((message) => Promise.resolve(`${sent.push(message)}`));
    await using _ = edgehelm;
    const request = {
      mediaType: "telegram",
      optionsJSON: bytes(validParams.telegram),
      user: "u",
      subject: "s",
      body: "b",
    };
    await edgehelm.call(admin, rpc.sendMediaMessage, request);
    expect(sent).toMatchObject([{ mediaType: "telegram", user: "u", subject: "s", body: "b" }]);
  });
});
