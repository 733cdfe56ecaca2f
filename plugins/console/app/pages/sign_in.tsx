import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type SignIn, signIn, SignInError } from "../api/session.ts";
import { TextInput } from "../parts/text_input.tsx";
import { Mark } from "../shell/mark.tsx";
import { prepare, session } from "../shell/state.ts";
import { texts } from "../texts/mod.ts";

/** The page of those who are not signed in. */
export function SignInPage(): JSX.Element {
  const [type, setType] = useState<SignIn["type"]>("admin");
  const [isKey, setKey] = useState(false);
  const [needsCode, setNeedsCode] = useState(false);
  const [error, setError] = useState<string>();
  async function send(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(event.currentTarget as HTMLFormElement));
    try {
      session.value = await signIn({ type, ...fields });
      await prepare();
    } catch (caught) {
      setError((caught as Error).message);
      if (caught instanceof SignInError && caught.needsCode) setNeedsCode(true);
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
              <input type="radio" name="kind" checked={type === kind} onChange={() => setType(kind)} />{" "}
              {kind === "admin" ? text.asAdmin : text.asUser}
            </label>
          ))}
        </div>
        {isKey
          ? (
            <>
              <Field name="accessKeyId" label={text.accessKeyId} autocomplete="username" />
              <Field name="accessKey" label={text.accessKey} type="password" autocomplete="current-password" />
            </>
          )
          : (
            <>
              <Field name="username" label={text.username} autocomplete="username" />
              <Field name="password" label={text.password} type="password" autocomplete="current-password" />
              {needsCode && <Field name="code" label={text.code} autocomplete="one-time-code" />}
            </>
          )}
        {error !== undefined && <p class="error" role="alert">{error}</p>}
        <button type="submit" class="btn primary">{text.signIn}</button>
        <button type="button" class="btn quiet" onClick={() => setKey(!isKey)}>
          {isKey ? text.withPassword : text.withKey}
        </button>
      </form>
    </main>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly type?: "text" | "password";
  readonly autocomplete: string;
}

function Field({ name, label, type = "text", autocomplete }: FieldProps): JSX.Element {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <TextInput id={name} name={name} isSecret={type === "password"} autocomplete={autocomplete} isRequired />
    </div>
  );
}
