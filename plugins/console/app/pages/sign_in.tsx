import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type SignIn, signIn } from "../api/session.ts";
import { messageOf } from "../parts/failure.tsx";
import { TextInput } from "../parts/text_input.tsx";
import { Mark } from "../shell/mark.tsx";
import { prepare, session } from "../shell/state.ts";
import { texts } from "../texts/mod.ts";

/** The page of those who are not signed in. */
export function SignInPage(): JSX.Element {
  const [type, setType] = useState<SignIn["type"]>("admin");
  const [error, setError] = useState<string>();
  const [isSending, setSending] = useState(false);
  async function send(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    setSending(true);
    try {
      const key = { type, id: String(fields.get("id")).trim(), secret: String(fields.get("secret")).trim() };
      session.value = await signIn(key, await prepare());
    } catch (caught) {
      setError(messageOf(caught));
      setSending(false);
    }
  }
  const { value: text } = texts;
  return (
    <main class="sign-in">
      <form class="panel pad" onSubmit={send}>
        <h1>
          <Mark /> Edgehelm
        </h1>
        <div class="choice" role="radiogroup" aria-label={text.signIn}>
          {(["admin", "user"] as const).map((kind) => (
            <label key={kind} class="chip">
              <input type="radio" name="kind" checked={type === kind} onChange={() => setType(kind)} />
              {kind === "admin" ? text.asAdmin : text.asUser}
            </label>
          ))}
        </div>
        <div class="field">
          <label for="id">{text.accessKeyId}</label>
          <TextInput id="id" name="id" isSecret={false} autocomplete="username" isRequired />
        </div>
        <div class="field">
          <label for="secret">{text.accessKey}</label>
          <TextInput id="secret" name="secret" isSecret autocomplete="current-password" isRequired />
        </div>
        {error !== undefined && <p class="error" role="alert">{error}</p>}
        <button type="submit" class="btn primary" disabled={isSending}>{text.signIn}</button>
        <p class="help">{type === "admin" ? text.adminKeyHelp : text.userKeyHelp}</p>
      </form>
    </main>
  );
}
