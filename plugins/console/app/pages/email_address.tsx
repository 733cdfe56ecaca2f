import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Failure, messageOf } from "../parts/failure.tsx";
import { useLoaded } from "../parts/loaded.ts";
import { TextInput } from "../parts/text_input.tsx";
import { callPath } from "../shell/call.ts";
import { session } from "../shell/state.ts";
import { textTable } from "../texts/table.ts";

const SERVICE = "UserEmailVerificationService";

const texts = textTable({
  en: {
    title: "Verify your email address",
    isVerified: "Verified. Codes to reset your password go to it:",
    isNotVerified: "No address is verified: you cannot reset your password by mail.",
    email: "Email address",
    password: "Current password",
    passwordHelp: "Not needed within 10 minutes after you signed in.",
    send: "Send code",
    sent: "A mail with a code is on its way.",
    code: "Code from the mail",
    verify: "Verify",
  },
  zh: {
    title: "验证您的电子邮箱",
    isVerified: "已验证。重置密码的验证码将发送到：",
    isNotVerified: "没有已验证的邮箱：您无法通过邮件重置密码。",
    email: "电子邮箱",
    password: "当前密码",
    passwordHelp: "登录后 10 分钟内无需填写。",
    send: "发送验证码",
    sent: "包含验证码的邮件正在发送中。",
    code: "邮件中的验证码",
    verify: "验证",
  },
});

interface OwnAddress {
  readonly email: string;
  readonly verifiedEmail: string;
}

/** Lets a customer prove to receive mail at an address: sends a code, and takes it. */
export function EmailAddress({ code: linked }: { readonly code: string | undefined }): JSX.Element {
  const { value: own, error: loadError, reload } = useLoaded(async (signal) => {
    const { user } = await callPath("UserService/findEnabledUser", { userId: session.value!.id }, signal);
    return user as OwnAddress;
  }, []);
  const [typed, setTyped] = useState<string>();
  const [password, setPassword] = useState("");
  const [code, setCode] = useState(linked ?? "");
  const [isSent, setSent] = useState(false);
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const { value: text } = texts;
  const email = typed ?? own?.email ?? "";
  async function run(event: SubmitEvent, act: () => Promise<void>): Promise<void> {
    event.preventDefault();
    setBusy(true);
    try {
      await act();
    } catch (caught) {
      setError(messageOf(caught));
    } finally {
      setBusy(false);
    }
  }
  async function send(): Promise<void> {
    await callPath(`${SERVICE}/sendUserEmailVerification`, { email, password });
    setError(undefined);
    setPassword("");
    setSent(true);
  }
  async function verify(): Promise<void> {
    const { errorMessage } = await callPath(`${SERVICE}/verifyUserEmail`, { code: code.trim() });
    setError(String(errorMessage ?? "") || undefined);
    if (errorMessage) return;
    setCode("");
    setSent(false);
    setTyped(undefined);
    reload();
  }
  if (loadError !== undefined) return <Failure error={loadError} onRetry={reload} />;
  const isVerified = (own?.verifiedEmail ?? "") !== "";
  return (
    <section class="panel pad related">
      <h2>{text.title}</h2>
      {own !== undefined && <p>{isVerified ? `${text.isVerified} ${own.verifiedEmail}` : text.isNotVerified}</p>}
      <form onSubmit={(event) => run(event, send)}>
        <div class="field">
          <label for="verify-email">{text.email}</label>
          <TextInput
            id="verify-email"
            isSecret={false}
            autocomplete="email"
            value={email}
            isRequired
            onInput={setTyped}
          />
        </div>
        <div class="field">
          <label for="verify-password">{text.password}</label>
          <TextInput
            id="verify-password"
            isSecret
            autocomplete="current-password"
            value={password}
            describedBy="verify-password-help"
            onInput={setPassword}
          />
          <p class="help" id="verify-password-help">{text.passwordHelp}</p>
        </div>
        <button type="submit" class="btn" disabled={isBusy}>{text.send}</button>
      </form>
      {error !== undefined && <p class="error" role="alert">{error}</p>}
      {(isSent || linked !== undefined) && (
        <form onSubmit={(event) => run(event, verify)}>
          {isSent && <p role="status">{text.sent}</p>}
          <div class="field">
            <label for="verify-code">{text.code}</label>
            <TextInput
              id="verify-code"
              isSecret={false}
              autocomplete="one-time-code"
              value={code}
              isRequired
              onInput={setCode}
            />
          </div>
          <button type="submit" class="btn primary" disabled={isBusy}>{text.verify}</button>
        </form>
      )}
    </section>
  );
}
