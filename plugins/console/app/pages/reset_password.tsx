import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { askConsole } from "../api/console_requests.ts";
import { messageOf } from "../parts/failure.tsx";
import { TextInput } from "../parts/text_input.tsx";
import { Mark } from "../shell/mark.tsx";
import { linkTo } from "../shell/route.ts";
import { textTable } from "../texts/table.ts";

const texts = textTable({
  en: {
    title: "Reset password",
    email: "Email address",
    emailHelp: "The verified address of your account.",
    send: "Send code",
    sent: "If this is the verified address of an account, a code is on its way. It is valid for 10 minutes.",
    code: "Code from the mail",
    newPassword: "New password",
    newPasswordHelp: "At least 8 characters. You are signed out everywhere.",
    set: "Set password",
    again: "Send another code",
    done: "The new password is set. Sign in with it.",
    signIn: "Back to sign-in",
  },
  zh: {
    title: "重置密码",
    email: "电子邮箱",
    emailHelp: "您账户的已验证邮箱。",
    send: "发送验证码",
    sent: "如果这是某个账户的已验证邮箱，验证码正在发送中，10 分钟内有效。",
    code: "邮件中的验证码",
    newPassword: "新密码",
    newPasswordHelp: "至少 8 个字符。您将在所有地方退出登录。",
    set: "设置密码",
    again: "重新发送验证码",
    done: "新密码已设置，请用它登录。",
    signIn: "返回登录",
  },
});

/** The page on which customers who forgot their password set another, by a code that is mailed to them. */
export default function ResetPasswordPage(): JSX.Element {
  const [step, setStep] = useState<"ask" | "enter" | "done">("ask");
  const [email, setEmail] = useState("");
  const [error, setError] = useState<string>();
  const [isSending, setSending] = useState(false);
  const { value: text } = texts;
  async function run(name: string, fields: object, next: typeof step): Promise<void> {
    setSending(true);
    try {
      await askConsole(name, { email, ...fields });
      setError(undefined);
      setStep(next);
    } catch (caught) {
      setError(messageOf(caught));
    } finally {
      setSending(false);
    }
  }
  async function send(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (step === "ask") return await run("send_code", {}, "enter");
    const typed = new FormData(event.currentTarget as HTMLFormElement);
    const fields = { code: String(typed.get("code") ?? ""), newPassword: String(typed.get("newPassword") ?? "") };
    await run("reset_password", fields, "done");
  }
  return (
    <main class="sign-in">
      <form class="panel pad" onSubmit={send}>
        <h1>
          <Mark /> {text.title}
        </h1>
        {step === "done" && <p role="status">{text.done}</p>}
        {step === "ask" && (
          <div class="field">
            <label for="email">{text.email}</label>
            <TextInput
              id="email"
              isSecret={false}
              autocomplete="email"
              value={email}
              isRequired
              describedBy="email-help"
              onInput={setEmail}
            />
            <p class="help" id="email-help">{text.emailHelp}</p>
          </div>
        )}
        {step === "enter" && (
          <>
            <p role="status">{text.sent}</p>
            <div class="field">
              <label for="code">{text.code}</label>
              <TextInput id="code" name="code" isSecret={false} autocomplete="one-time-code" isRequired />
            </div>
            <div class="field">
              <label for="newPassword">{text.newPassword}</label>
              <TextInput
                id="newPassword"
                name="newPassword"
                isSecret
                autocomplete="new-password"
                isRequired
                describedBy="newPassword-help"
              />
              <p class="help" id="newPassword-help">{text.newPasswordHelp}</p>
            </div>
          </>
        )}
        {error !== undefined && <p class="error" role="alert">{error}</p>}
        {step !== "done" && (
          <button type="submit" class="btn primary" disabled={isSending}>
            {step === "ask" ? text.send : text.set}
          </button>
        )}
        {step === "enter" && (
          <button
            type="button"
            class="btn"
            disabled={isSending}
            onClick={() => run("send_code", {}, "enter")}
          >
            {text.again}
          </button>
        )}
        <a href={linkTo([])}>{text.signIn}</a>
      </form>
    </main>
  );
}
