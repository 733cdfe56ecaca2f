import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ApiError } from "edgehelm/client";
import { askConsole, type Grant } from "../api/console_requests.ts";
import { messageOf } from "../parts/failure.tsx";
import { TextInput } from "../parts/text_input.tsx";
import { Mark } from "../shell/mark.tsx";
import { goTo, linkTo } from "../shell/route.ts";
import { enter } from "../shell/state.ts";
import { textTable } from "../texts/table.ts";
import { texts as shared } from "../texts/mod.ts";

const texts = textTable({
  en: {
    title: "Register",
    fullname: "Name",
    email: "Email address",
    mobile: "Telephone (optional)",
    usernameHelp: "2 to 64 letters, digits, _ . @ or -. You sign in with it.",
    passwordHelp: "At least 8 characters.",
    signIn: "I have an account: sign in",
  },
  zh: {
    title: "注册",
    fullname: "姓名",
    email: "电子邮箱",
    mobile: "电话（选填）",
    usernameHelp: "2 至 64 个字母、数字或 _ . @ -，用于登录。",
    passwordHelp: "至少 8 个字符。",
    signIn: "已有账号：登录",
  },
});

const FIELDS = ["username", "password", "fullname", "email", "mobile"] as const;
type Field = typeof FIELDS[number];

const AUTOCOMPLETE: Readonly<Record<Field, string>> = {
  username: "username",
  password: "new-password",
  fullname: "name",
  email: "email",
  mobile: "tel",
};

/** The page on which people become customers, where the installation allows it; they are signed in after it. */
export default function RegisterPage(): JSX.Element {
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const { value: text } = texts;
  const wrong = fieldOf(error);
  async function send(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const typed = new FormData(event.currentTarget as HTMLFormElement);
    setSending(true);
    try {
      const fields = Object.fromEntries(FIELDS.map((field) => [field, String(typed.get(field) ?? "")]));
      await enter(await askConsole<Grant>("register", fields));
      goTo(linkTo([]));
    } catch (caught) {
      setError(caught);
      setSending(false);
    }
  }
  const labels = { ...text, username: shared.value.username, password: shared.value.password };
  const helps: Partial<Record<Field, string>> = { username: text.usernameHelp, password: text.passwordHelp };
  return (
    <main class="sign-in">
      <form class="panel pad" onSubmit={send}>
        <h1>
          <Mark /> {text.title}
        </h1>
        {FIELDS.map((field) => (
          <div key={field} class="field">
            <label for={field}>{labels[field]}</label>
            <TextInput
              id={field}
              name={field}
              isSecret={field === "password"}
              autocomplete={AUTOCOMPLETE[field]}
              isRequired={field !== "mobile"}
              isInvalid={wrong === field}
              describedBy={helps[field] && `${field}-help`}
            />
            {wrong === field && <p class="error" role="alert">{messageOf(error)}</p>}
            {helps[field] && <p class="help" id={`${field}-help`}>{helps[field]}</p>}
          </div>
        ))}
        {error !== undefined && wrong === undefined && <p class="error" role="alert">{messageOf(error)}</p>}
        <button type="submit" class="btn primary" disabled={isSending}>{text.title}</button>
        <a href={linkTo([])}>{text.signIn}</a>
      </form>
    </main>
  );
}

/** Returns the field that an error is about. */
function fieldOf(error: unknown): Field | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.reason === "user.username_taken") return "username";
  return FIELDS.find((field) => error.message.startsWith(`${field}:`));
}
