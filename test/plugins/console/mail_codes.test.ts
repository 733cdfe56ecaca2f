import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { browserRuns } from "../../core/client/runtimes/page_visit.ts";
import { type SmtpServer, startSmtp } from "../../servers/smtp.ts";
import { has } from "../../servers/tools.ts";
import { MESSAGE_PLUGINS, MessageWorld } from "./operators/message_world.ts";
import { ConsoleServer } from "./visitor.ts";

const PASSWORD = "correct horse battery";
const NEW_PASSWORD = "a better horse battery";
const EMAIL = "mary@example.com";

describe.runIf(browserRuns() && has("python3-aiosmtpd"))("codes by mail", () => {
  let served: ConsoleServer;
  let smtp: SmtpServer;
  beforeAll(async () => {
    smtp = await startSmtp("plain");
    served = await ConsoleServer.start(
      [...MESSAGE_PLUGINS, "user_email_verification", "user_verify_code"],
      { outbound: { allow: ["127.0.0.0/8"] } },
    );
    const world = new MessageWorld(served.server);
    await world.addChannel("mail", { paramsJSON: { smtp: `127.0.0.1:${smtp.port}`, from: "noc@example.com" } });
    const user = { username: "mary", password: PASSWORD, fullname: "Mary Somerville", email: EMAIL };
    await world.post("UserService/createUser", user);
  });
  afterAll(async () => {
    await served?.stop();
    await smtp?.[Symbol.asyncDispose]();
  });

  /** Waits for the mail after the first `count`, and returns the code in it. */
  async function codeAfter(count: number): Promise<string> {
    return await vi.waitFor(() => {
      const text = smtp.mails[count]!.content.replace(/=\r?\n/g, "");
      return text.match(/: ([0-9]{8}|[A-Za-z0-9]{32})\s*$/m)![1]!;
    }, { timeout: 60_000 });
  }

  test("a customer verifies the address, forgets the password, and sets another", async () => {
    const visit = await served.visit();
    const { page } = visit;
    await visit.tryPassword("mary", PASSWORD, "Customer");
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await visit.open("security");
    await page.getByText("No address is verified").waitFor();
    expect(await page.getByLabel("Email address").inputValue()).toBe(EMAIL);
    await page.getByRole("button", { name: "Send code" }).click();
    await page.getByText("A mail with a code is on its way.").waitFor();
    await visit.expectAccessible();
    await page.getByLabel("Code from the mail").fill("wrong");
    await page.getByRole("button", { name: "Verify", exact: true }).click();
    await page.getByRole("alert").getByText("the code is wrong").waitFor();
    const link = await codeAfter(0);
    await visit.open(`verify_email/${link}`);
    expect(await page.getByLabel("Code from the mail").inputValue()).toBe(link);
    await page.getByRole("button", { name: "Verify", exact: true }).click();
    await page.getByText(`Codes to reset your password go to it: ${EMAIL}`).waitFor();
    await page.getByRole("button", { name: "Sign out", exact: true }).click();

    await page.getByLabel("Customer").check();
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await page.getByRole("heading", { name: "Reset password" }).waitFor();
    await visit.expectAccessible();
    await page.getByLabel("Email address").fill(EMAIL);
    await page.getByRole("button", { name: "Send code" }).click();
    await page.getByText("If this is the verified address of an account").waitFor();
    await visit.expectAccessible();
    const code = await codeAfter(1);
    await page.getByLabel("Code from the mail").fill(code === "00000000" ? "00000001" : "00000000");
    await page.getByLabel("New password").fill(NEW_PASSWORD);
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByRole("alert").getByText("code: is wrong").waitFor();
    await page.getByLabel("Code from the mail").fill(code);
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByText("The new password is set.").waitFor();
    await page.getByRole("link", { name: "Back to sign-in" }).click();
    await visit.tryPassword("mary", NEW_PASSWORD, "Customer");
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await visit.end();
  });

  test("the pages fit a phone, in both themes and languages", async () => {
    for (const [theme, language, title] of [["light", "en", "Reset password"], ["dark", "zh", "重置密码"]] as const) {
      const visit = await served.visit({ width: 390, theme, language });
      await visit.page.goto(`${visit.url}/console#/reset_password`);
      await visit.page.getByRole("heading", { name: title }).waitFor();
      await visit.expectAccessible();
      await visit.expectNoSidewaysScroll();
      await visit.end();
    }
  });
});
