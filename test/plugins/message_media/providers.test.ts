import { createHmac } from "node:crypto";
import type { Call } from "edgehelm";
import { TestClock } from "edgehelm/testing";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { machineOutbound } from "../../../core/host/outbound/outbound.ts";
import type { MessageMediaDriver } from "../../../plugins/message_media/contract.ts";
import { aliyunSms } from "../../../plugins/message_media/drivers/aliyun_sms.ts";
import { qyWeixin } from "../../../plugins/message_media/drivers/qy_weixin.ts";
import { dingTalk, qyWeixinRobot } from "../../../plugins/message_media/drivers/robots.ts";
import { slack } from "../../../plugins/message_media/drivers/slack.ts";
import { telegram } from "../../../plugins/message_media/drivers/telegram.ts";
import { certificateFor, peer } from "../../host/outbound/peers.ts";

// Each driver sends to a receiver on this machine, which has the name of the provider and a certificate for it.

const HOST = "provider.example.com";
const certificate = certificateFor(HOST);
const outbound = machineOutbound({ allow: ["127.0.0.1"] }, () => Promise.resolve(["127.0.0.1"]));
const call = { fetch: (url, init) => outbound.fetch(url, { ...init, ca: certificate.cert }) } as Pick<
  Call,
  "fetch"
> as Call;

let answer: { readonly status?: number; readonly body: string; readonly headers?: Record<string, string> };
let receiver: Awaited<ReturnType<typeof peer>>;
let base: string;
beforeAll(async () => {
  receiver = await peer((_request, response) => {
    const { status = 200, body, headers } = answer;
    response.writeHead(status, headers).end(body);
  }, { certificate });
  base = `https://${HOST}:${receiver.port}`;
});
afterEach(() => void (receiver.received.length = 0));
afterAll(() => receiver[Symbol.asyncDispose]());

interface Sent {
  readonly user: string;
  readonly params: object;
  readonly body?: string;
}

/** Sends a message, and returns the result with the request that the receiver got. */
async function send(driver: MessageMediaDriver, { user, params, body = "since 12:04" }: Sent, given: typeof answer) {
  answer = given;
  const paramsJSON = new TextEncoder().encode(JSON.stringify(params));
  driver.check("paramsJSON", paramsJSON);
  const result = await driver.send(call, {
    id: "message-7",
    paramsJSON,
    user,
    subject: "Node <3> & 4 is offline",
    body,
  });
  const [request] = receiver.received;
  return { result, request: request!, json: request?.body ? JSON.parse(request.body) : undefined };
}

test("Telegram gets the chat and the text under the path of the robot", async () => {
  const params = { token: "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw" };
  const ok = '{"ok":true,"result":{"message_id":9}}';
  const { result, request, json } = await send(telegram(base), { user: "-1009", params }, { body: ok });
  expect(result).toMatchObject({ isOk: true, response: ok });
  expect([request.method, request.path]).toEqual(["POST", `/bot${params.token}/sendMessage`]);
  expect(request.headers["content-type"]).toBe("application/json");
  expect(json).toEqual({ chat_id: "-1009", text: "Node <3> & 4 is offline\n\nsince 12:04" });
});

test("Telegram's own words say why, and how long to wait", async () => {
  const params = { token: "1:a" };
  const unknown = { status: 400, body: '{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}' };
  const { result } = await send(telegram(base), { user: "x", params }, unknown);
  expect(result).toMatchObject({ isOk: false, error: "Bad Request: chat not found", isRetryable: false });
  const busy = {
    status: 429,
    body:
      '{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 31","parameters":{"retry_after":31}}',
  };
  expect((await send(telegram(base), { user: "x", params }, busy)).result).toMatchObject({
    ...{ isOk: false, error: "Too Many Requests: retry after 31", isRetryable: true, retryAfterSeconds: 31 },
  });
  // the token is part of the path, so it may be in no text
  expect(JSON.stringify(result)).not.toContain("1:a");
});

test("Slack gets text whose markup is escaped, with a mention of a member", async () => {
  const params = { webHookURL: `${base}/services/T0/B0/XXXX` };
  const { result, request, json } = await send(slack, { user: "U012AB3CD", params }, { body: "ok" });
  expect(result).toMatchObject({ isOk: true, response: "ok" });
  expect([request.method, request.path]).toEqual(["POST", "/services/T0/B0/XXXX"]);
  expect(json).toEqual({ text: "<@U012AB3CD> Node &lt;3&gt; &amp; 4 is offline\n\nsince 12:04" });
  receiver.received.length = 0;
  expect((await send(slack, { user: "<!channel>", params }, { body: "ok" })).json.text).not.toContain("channel");
});

test("Slack's own words say why", async () => {
  const params = { webHookURL: `${base}/services/T0/B0/XXXX` };
  const { result } = await send(slack, { user: "", params }, { status: 404, body: "channel_is_archived" });
  expect(result).toMatchObject({ isOk: false, error: "status 404: channel_is_archived", isRetryable: false });
  const busy = { status: 429, body: "rate_limited", headers: { "retry-after": "30" } };
  expect((await send(slack, { user: "", params }, busy)).result)
    .toMatchObject({ isOk: false, error: "status 429: rate_limited", isRetryable: true, retryAfterSeconds: 30 });
});

test("DingTalk gets a text that mentions a mobile number, or Markdown with a title", async () => {
  const path = "/robot/send?access_token=5a5a";
  const ok = '{"errcode":0,"errmsg":"ok"}';
  const params = { webHookURL: base + path };
  const { result, request, json } = await send(dingTalk, { user: "13800000000", params }, { body: ok });
  expect(result).toMatchObject({ isOk: true, response: ok });
  expect([request.method, request.path]).toEqual(["POST", path]);
  const text = "Node <3> & 4 is offline\n\nsince 12:04";
  expect(json).toEqual({ msgtype: "text", text: { content: text }, at: { atMobiles: ["13800000000"] } });
  receiver.received.length = 0;
  const markdown = { ...params, textFormat: "markdown" };
  expect((await send(dingTalk, { user: "everyone", params: markdown }, { body: ok })).json).toEqual({
    ...{ msgtype: "markdown", markdown: { title: "Node <3> & 4 is offline", text }, at: { atMobiles: [] } },
  });
});

test("the robot of WeCom gets a text that mentions a mobile number, or Markdown", async () => {
  const path = "/cgi-bin/webhook/send?key=693a";
  const ok = '{"errcode":0,"errmsg":"ok"}';
  const params = { webHookURL: base + path };
  const { result, request, json } = await send(qyWeixinRobot, { user: "13800000000", params }, { body: ok });
  expect(result).toMatchObject({ isOk: true, response: ok });
  expect([request.method, request.path]).toEqual(["POST", path]);
  const content = "Node <3> & 4 is offline\n\nsince 12:04";
  expect(json).toEqual({ msgtype: "text", text: { content, mentioned_mobile_list: ["13800000000"] } });
  receiver.received.length = 0;
  const markdown = { ...params, textFormat: "markdown" };
  expect((await send(qyWeixinRobot, { user: "x", params: markdown }, { body: ok })).json)
    .toEqual({ msgtype: "markdown", markdown: { content } });
});

test.each([
  [dingTalk, "130101", "send too fast"],
  [dingTalk, "-1", "system busy"],
  [qyWeixinRobot, "45009", "api freq out of limit"],
  [qyWeixinRobot, "-1", "system busy"],
])("a robot that is busy is tried again later: %o %s", async (driver, errcode, errmsg) => {
  const params = { webHookURL: `${base}/send` };
  const refusal = { body: '{"errcode":310000,"errmsg":"keywords not in content"}' };
  expect((await send(driver, { user: "", params }, refusal)).result)
    .toMatchObject({ isOk: false, error: "error 310000: keywords not in content", isRetryable: false });
  const busy = { body: JSON.stringify({ errcode: Number(errcode), errmsg }) };
  expect((await send(driver, { user: "", params }, busy)).result)
    .toMatchObject({ isOk: false, error: `error ${errcode}: ${errmsg}`, isRetryable: true });
});

test("a long text for a robot is cut to what the providers take", async () => {
  const params = { webHookURL: `${base}/send` };
  const body = "节".repeat(5000);
  const { json } = await send(dingTalk, { user: "", params, body }, { body: '{"errcode":0}' });
  expect(new TextEncoder().encode(json.text.content).length).toBeLessThan(2048);
});

test("an application of WeCom gets its token first, and then the message", async () => {
  const params = { corporateId: "ww1", agentId: "1000002", appSecret: "s & s" };
  // one answer for both: each reads its own fields
  const ok = '{"errcode":0,"errmsg":"ok","access_token":"t/1"}';
  const { result } = await send(qyWeixin(base), { user: "ada", params }, { body: ok });
  expect(result).toMatchObject({ isOk: true });
  const [token, message] = receiver.received;
  expect([token!.method, token!.path]).toEqual(["GET", "/cgi-bin/gettoken?corpid=ww1&corpsecret=s+%26+s"]);
  expect([message!.method, message!.path]).toEqual(["POST", "/cgi-bin/message/send?access_token=t%2F1"]);
  expect(JSON.parse(message!.body)).toEqual({
    ...{ touser: "ada", agentid: "1000002", msgtype: "text" },
    text: { content: "Node <3> & 4 is offline\n\nsince 12:04" },
  });
  receiver.received.length = 0;
  const refusal = { body: '{"errcode":40001,"errmsg":"invalid credential"}' };
  const { result: refused } = await send(qyWeixin(base), { user: "ada", params }, refusal);
  expect(refused).toMatchObject({ isOk: false, error: "no access token, error 40001: invalid credential" });
  expect(receiver.received).toHaveLength(1);
});

const SMS = {
  ...{ sign: "边缘 & 节点", templateCode: "SMS_1", accessKeyId: "LTAI", accessKeySecret: "a secret" },
  variables: [{ name: "what", value: "${MessageSubject} (it's *so*)" }],
};

test("Alibaba Cloud gets a query whose signature is that of its documentation", async () => {
  const clock = new TestClock(Date.UTC(2026, 10, 25, 12, 4, 5, 678));
  const ok = '{"Code":"OK","Message":"OK","BizId":"9","RequestId":"r"}';
  const { result, request } = await send(aliyunSms(base, clock), { user: "13800000000", params: SMS }, { body: ok });
  expect(result).toMatchObject({ isOk: true, response: ok });
  expect(request.method).toBe("GET");
  const { pathname, searchParams } = new URL(request.path, base);
  expect(pathname).toBe("/");
  const { Signature, ...values } = Object.fromEntries(searchParams);
  expect(values).toEqual({
    ...{ AccessKeyId: "LTAI", Action: "SendSms", Format: "JSON", OutId: "message-7", PhoneNumbers: "13800000000" },
    ...{ SignName: "边缘 & 节点", SignatureMethod: "HMAC-SHA1", SignatureNonce: "message-7", SignatureVersion: "1.0" },
    ...{ TemplateCode: "SMS_1", Timestamp: "2026-11-25T12:04:05Z", Version: "2017-05-25" },
    TemplateParam: '{"what":"Node <3> & 4 is offline (it\'s *so*)"}',
  });
  expect(Signature).toBe(documentedSignature(values, SMS.accessKeySecret));
});

test("Alibaba Cloud's own words say why", async () => {
  const driver = aliyunSms(base, new TestClock(0));
  const refusal = { status: 400, body: '{"Code":"isv.MOBILE_NUMBER_ILLEGAL","Message":"13 is no mobile number"}' };
  expect((await send(driver, { user: "13", params: SMS }, refusal)).result).toMatchObject({
    ...{ isOk: false, error: "error isv.MOBILE_NUMBER_ILLEGAL: 13 is no mobile number", isRetryable: false },
  });
  const busy = { body: '{"Code":"isv.BUSINESS_LIMIT_CONTROL","Message":"limit of the minute: 1"}' };
  expect((await send(driver, { user: "13", params: SMS }, busy)).result).toMatchObject({
    ...{ isOk: false, error: "error isv.BUSINESS_LIMIT_CONTROL: limit of the minute: 1", isRetryable: true },
  });
});

/** The signature as the documentation of the provider computes it, step by step. */
function documentedSignature(values: Readonly<Record<string, string>>, secret: string): string {
  const percentEncode = (text: string) =>
    [...new TextEncoder().encode(text)].map((byte) => {
      const char = String.fromCharCode(byte);
      return /[A-Za-z0-9_.~-]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    }).join("");
  const canonical = Object.keys(values).sort().map((name) => `${percentEncode(name)}=${percentEncode(values[name]!)}`)
    .join("&");
  const text = `GET&${percentEncode("/")}&${percentEncode(canonical)}`;
  return createHmac("sha1", `${secret}&`).update(text).digest("base64");
}
