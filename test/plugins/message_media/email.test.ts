import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { sendMail } from "../../../plugins/message_media/host/smtp.ts";
import { makeCertificate } from "../../servers/certificate.ts";
import { type SmtpServer, startSmtp } from "../../servers/smtp.ts";
import { has } from "../../servers/tools.ts";
import { admin, bytes, instanceOf, messageKernel, rpc } from "../message_task/message_rig.ts";

const folder = mkdtempSync(join(tmpdir(), "edgehelm-mail-"));
afterAll(() => rmSync(folder, { recursive: true }));

const LOOPBACK = { allow: ["127.0.0.0/8"] };
const LOGIN = { username: "cdn", password: "correct horse", from: "CDN <cdn@example.com>" };

describe.skipIf(!has("python3-aiosmtpd"))("email", () => {
  const certificate = makeCertificate(folder);
  const ca = readFileSync(certificate.certFile, "utf8");
  let edgehelm: TestKernel;
  let servers: Record<"plain" | "starttls" | "tls", SmtpServer>;

  beforeAll(async () => {
    ({ edgehelm } = await messageKernel(undefined, { outbound: LOOPBACK, host: { send: sendMail } }));
    servers = {
      plain: await startSmtp("plain"),
      starttls: await startSmtp("starttls", certificate),
      tls: await startSmtp("tls", certificate),
    };
  });
  afterAll(async () => {
    await edgehelm[Symbol.asyncDispose]();
    for (const server of Object.values(servers)) await server[Symbol.asyncDispose]();
  });

  async function send(server: SmtpServer, params: object, user = "ada@example.com", text = {}) {
    const paramsJSON = bytes({ smtp: `127.0.0.1:${server.port}`, from: "cdn@example.com", ...params });
    const messageMediaInstanceId = await instanceOf(edgehelm, { mediaType: "email", paramsJSON });
    const message = { subject: "Node 3 is offline", body: "since 12:04", ...text };
    return await edgehelm.call(admin, rpc.sendMessageTask, { messageMediaInstanceId, user, ...message });
  }

  test.each(
    [
      ["plain", {}, { isEncrypted: false, isAuthenticated: false }],
      ["starttls", { ca }, { isEncrypted: true, isAuthenticated: false }],
      ["starttls", { ...LOGIN, ca }, { isEncrypted: true, isAuthenticated: true }],
      ["tls", { ...LOGIN, ca, encryption: "tls" }, { isEncrypted: true, isAuthenticated: true }],
    ] as const,
  )("is sent to a server with %s", async (mode, params, expected) => {
    const server = servers[mode];
    const before = server.mails.length;
    expect(await send(server, params)).toMatchObject({ isOk: true, response: "250 queued as 42" });
    await vi.waitFor(() => expect(server.mails.length).toBe(before + 1));
    const mail = server.mails.at(-1)!;
    expect(mail).toMatchObject({ from: "cdn@example.com", to: ["ada@example.com"], ...expected });
    expect(mail.content).toMatch(/^Subject: Node 3 is offline\r$/m);
    expect(mail.content).toMatch(/^Message-ID: <[^>]+@example\.com>\r$/m);
    expect(mail.content).toContain("since 12:04");
  });

  test("a password is not sent to a server without encryption, unless the settings say so", async () => {
    const refused = await send(servers.plain, LOGIN);
    expect(refused).toMatchObject({ isOk: false, error: expect.stringContaining("454 TLS not available") });
    expect(await send(servers.plain, { ...LOGIN, encryption: "none" })).toMatchObject({ isOk: true });
  });

  test("a certificate that is not trusted is refused", async () => {
    const { isOk, error } = await send(servers.starttls, LOGIN);
    expect({ isOk, error }).toMatchObject({ isOk: false, error: expect.stringMatching(/certificate/i) });
    expect((await send(servers.tls, { ...LOGIN, encryption: "tls" })).isOk).toBe(false);
  });

  test("an error has the words of the server", async () => {
    expect(await send(servers.plain, {}, "unknown@example.com"))
      .toMatchObject({ isOk: false, error: expect.stringContaining("550 no such user here") });
    expect(await send(servers.starttls, { ...LOGIN, ca, password: "guess" }))
      .toMatchObject({ isOk: false, error: expect.stringContaining("535") });
  });

  test("an address cannot hold several recipients, nor a subject a header", async () => {
    expect(await send(servers.plain, {}, "a@example.com, b@example.com"))
      .toMatchObject({ isOk: false, error: '"a@example.com, b@example.com" is not an email address' });
    const before = servers.plain.mails.length;
    const subject = "hello\r\nBcc: eve@example.com";
    await send(servers.plain, {}, "ada@example.com", { subject }).catch(() => {});
    for (const mail of servers.plain.mails.slice(before)) {
      expect(mail.to).toEqual(["ada@example.com"]);
      expect(mail.content).not.toMatch(/^Bcc:/m);
    }
  });

  test("a delay of the server is an attempt that is repeated", async () => {
    const paramsJSON = bytes({ smtp: `127.0.0.1:${servers.plain.port}`, from: "cdn@example.com" });
    const messageMediaInstanceId = await instanceOf(edgehelm, { mediaType: "email", paramsJSON });
    const request = { messageMediaInstanceId, user: "later@example.com", subject: "s" };
    const { messageTaskId } = await edgehelm.call(admin, rpc.createMessageTask, request);
    await edgehelm.kernel.runJob("message_task.send");
    const { messageTask } = await edgehelm.call(admin, rpc.findEnabledMessageTask, { messageTaskId });
    expect(messageTask).toMatchObject({ status: 0, attempts: 1, result: { error: "451 try again later" } });
  });
});
