import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type SignIn, signIn } from "../api/session.ts";
import { messageOf } from "../parts/failure.tsx";
import { TextInput } from "../parts/text_input.tsx";
import { Mark } from "../shell/mark.tsx";
import { linkTo } from "../shell/route.ts";
import { awaitedSignIn, enter, mayRegister, mayReset } from "../shell/state.ts";
import { texts } from "../texts/mod.ts";

const WAYS = ["password", "key"] as const;

/** The page of those who are not signed in, and of those whose session has ended, above what they did. */
export function SignInPage(): JSX.Element {
  const [type, setType] = useState<SignIn["type"]>("admin");
  const [way, setWay] = useState<typeof WAYS[number]>("password");
  const [error, setError] = useState<string>();
  const [needsCode, setNeedsCode] = useState(false);
  const [isSending, setSending] = useState(false);
  const isOver = awaitedSignIn.value !== undefined;
  async function send(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const typed = (name: string) => String(fields.get(name) ?? "");
    setSending(true);
    try {
      const secrets = way === "key"
        ? { accessKeyId: typed("id"), accessKey: typed("secret") }
        : { username: typed("id"), password: typed("secret"), code: needsCode ? typed("code") : "" };
      const grant = await signIn({ type, ...secrets });
      if (grant !== undefined) return await enter(grant);
      setNeedsCode(true);
      setError(undefined);
      setSending(false);
    } catch (caught) {
      setError(messageOf(caught));
      setSending(false);
    }
  }
  const { value: text } = texts;
  const names = way === "key" ? [text.accessKeyId, text.accessKey] : [text.username, text.password];
  return (
    <main class={isOver ? "sign-in over" : "sign-in"}>
      <form class="panel pad" onSubmit={send}>
        <h1>
          <Mark /> Edgehelm
        </h1>
        {isOver && <p role="status">{text.sessionEnded}</p>}
        <div class="choice" role="radiogroup" aria-label={text.signIn}>
          {(["admin", "user"] as const).map((kind) => (
            <label key={kind} class="chip">
              <input type="radio" name="kind" checked={type === kind} onChange={() => setType(kind)} />
              {kind === "admin" ? text.asAdmin : text.asUser}
            </label>
          ))}
        </div>
        <div class="choice" role="radiogroup" aria-label={text.signInWith}>
          {WAYS.map((one) => (
            <label key={one} class="chip">
              <input type="radio" name="way" checked={way === one} onChange={() => setWay(one)} />
              {one === "key" ? text.withKey : text.withPassword}
            </label>
          ))}
        </div>
        <div class="field">
          <label for="id">{names[0]}</label>
          <TextInput key={way} id="id" name="id" isSecret={false} autocomplete="username" isRequired />
        </div>
        <div class="field">
          <label for="secret">{names[1]}</label>
          <TextInput key={way} id="secret" name="secret" isSecret autocomplete="current-password" isRequired />
        </div>
        {needsCode && way === "password" && (
          <div class="field">
            <label for="code">{text.code}</label>
            <TextInput
              id="code"
              name="code"
              isSecret={false}
              autocomplete="one-time-code"
              isRequired
              describedBy="code-help"
            />
            <p class="help" id="code-help">{text.codeHelp}</p>
          </div>
        )}
        {error !== undefined && <p class="error" role="alert">{error}</p>}
        <button type="submit" class="btn primary" disabled={isSending}>{text.signIn}</button>
        {type === "user" && way === "password" && mayReset.value && !isOver && (
          <a href={linkTo(["reset_password"])}>{text.forgotPassword}</a>
        )}
        {type === "user" && mayRegister.value && !isOver && <a href={linkTo(["register"])}>{text.register}</a>}
        {way === "key" && <p class="help">{type === "admin" ? text.adminKeyHelp : text.userKeyHelp}</p>}
      </form>
    </main>
  );
}
