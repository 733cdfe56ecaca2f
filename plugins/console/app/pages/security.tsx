import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { askConsole, type SessionInfo } from "../api/console_requests.ts";
import { browserName } from "./browser_name.ts";
import { Failure, messageOf } from "../parts/failure.tsx";
import { useLoaded } from "../parts/loaded.ts";
import { TextInput } from "../parts/text_input.tsx";
import { callPath } from "../shell/call.ts";
import { leave, mayCall, model, session } from "../shell/state.ts";
import { EmailAddress } from "./email_address.tsx";
import { SecondFactor } from "./second_factor.tsx";
import { relativeTime, texts, time } from "../texts/mod.ts";

/** The page on which people look after their own login: address, password and sessions. A mail may link to it with a code. */
export default function SecurityPage({ code }: { readonly code: string | undefined }): JSX.Element {
  const path = session.value?.type === "admin" ? "AdminService/updateAdminLogin" : "UserService/updateUserLogin";
  // The plugin that keeps second factors serves operations for other consoles.
  const isServed = model.value?.operations.some(({ service }) => service.name === "LoginService");
  return (
    <>
      <div class="head">
        <h1>{texts.value.security}</h1>
      </div>
      {session.value?.mustSetUp && <p role="status">{texts.value.mustSetUp}</p>}
      {session.value?.type === "user" && mayCall("UserEmailVerificationService/sendUserEmailVerification") && (
        <EmailAddress key={code} code={code} />
      )}
      {mayCall(path) && <PasswordForm path={path} />}
      {isServed && <SecondFactor />}
      <SessionList />
    </>
  );
}

function PasswordForm({ path }: { path: string }): JSX.Element {
  const [error, setError] = useState<string>();
  const [isSending, setSending] = useState(false);
  const { value: text } = texts;
  const isUser = session.value?.type === "user";
  async function send(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const { id = 0n, username = "" } = session.value ?? {};
    const [password, oldPassword] = [String(fields.get("new")), String(fields.get("old") ?? "")];
    setSending(true);
    try {
      await callPath(path, { username, password, ...(isUser ? { oldPassword } : { adminId: id }) });
      await leave();
    } catch (caught) {
      setError(messageOf(caught));
      setSending(false);
    }
  }
  return (
    <form class="panel pad" onSubmit={send}>
      <h2>{text.changePassword}</h2>
      {isUser && (
        <div class="field">
          <label for="old">{text.oldPassword}</label>
          <TextInput id="old" name="old" isSecret autocomplete="current-password" />
        </div>
      )}
      <div class="field">
        <label for="new">{text.newPassword}</label>
        <TextInput id="new" name="new" isSecret autocomplete="new-password" isRequired />
      </div>
      <p class="help">{text.changePasswordHelp}</p>
      {error !== undefined && <p class="error" role="alert">{error}</p>}
      <button type="submit" class="btn primary" disabled={isSending}>{text.changePassword}</button>
    </form>
  );
}

function SessionList(): JSX.Element {
  const { value, error, reload } = useLoaded(() => askConsole<{ sessions: readonly SessionInfo[] }>("list"), []);
  const [endError, setEndError] = useState<unknown>();
  const { value: text } = texts;
  const end = (fields: object) => askConsole("end", fields).then(reload, setEndError);
  const failure = endError ?? error;
  const sessions = value?.sessions ?? [];
  return (
    <section class="panel related">
      <div class="bar">
        <h2>{text.sessions}</h2>
        {failure !== undefined && <Failure error={failure} onRetry={reload} />}
        {sessions.length > 1 && (
          <button type="button" class="btn" onClick={() => end({})}>{text.signOutElsewhere}</button>
        )}
      </div>
      <div class="scroll" tabIndex={0} role="region" aria-label={text.sessions}>
        <table class="list">
          <thead>
            <tr>
              <th scope="col">{text.browser}</th>
              <th scope="col">{text.address}</th>
              <th scope="col">{text.lastUsed}</th>
              <th scope="col">{text.ends}</th>
              <th scope="col">
                <span class="hidden">{text.endSession}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {sessions.map((one) => (
              <tr key={one.id}>
                <td title={one.userAgent}>
                  {browserName(one.userAgent)} {one.isCurrent && <b>{text.thisSession}</b>}
                </td>
                <td>{one.address}</td>
                <td>{relativeTime(BigInt(one.lastUsedAt))}</td>
                <td>{time(BigInt(one.expiresAt))}</td>
                <td>
                  {!one.isCurrent && (
                    <button type="button" class="btn" onClick={() => end({ sessionId: one.id })}>
                      {text.endSession}
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
