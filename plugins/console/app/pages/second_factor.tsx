import qrcode from "qrcode-generator";
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { askConsole, type Grant } from "../api/console_requests.ts";
import { Failure, messageOf } from "../parts/failure.tsx";
import { useLoaded } from "../parts/loaded.ts";
import { TextInput } from "../parts/text_input.tsx";
import { continueWith, session } from "../shell/state.ts";
import { texts } from "../texts/mod.ts";

interface SetUp {
  readonly secret: string;
  readonly uri: string;
}

/** Turns the reader's second factor on and off. */
export function SecondFactor(): JSX.Element | null {
  const { value, error, reload } = useLoaded(() => askConsole<{ isOn: boolean }>("factor"), []);
  const [setUp, setSetUp] = useState<SetUp>();
  const [codes, setCodes] = useState<readonly string[]>();
  const { value: text } = texts;
  if (error !== undefined) return <Failure error={error} onRetry={reload} />;
  async function begin(password: string): Promise<void> {
    setSetUp(await askConsole<SetUp>("factor_begin", { password }));
  }
  async function confirm(code: string): Promise<void> {
    const { codes, ...grant } = await askConsole<Grant & { codes: readonly string[] }>("factor_confirm", { code });
    setCodes(codes);
    setSetUp(undefined);
    // What must be set up stays on the page until the recovery codes were read.
    continueWith({ ...grant, mustSetUp: session.value?.mustSetUp === true });
    reload();
  }
  async function renew(password: string): Promise<void> {
    setCodes((await askConsole<{ codes: readonly string[] }>("factor_codes", { password })).codes);
  }
  async function turnOff(password: string): Promise<void> {
    continueWith(await askConsole<Grant>("factor_off", { password }));
    setCodes(undefined);
    reload();
  }
  return (
    <section class="panel pad related">
      <h2>{text.secondFactor}</h2>
      <p>{value?.isOn ? text.secondFactorOn : text.secondFactorOff}</p>
      {codes !== undefined && <RecoveryCodes codes={codes} />}
      {setUp !== undefined && (
        <>
          <p>{text.scan}</p>
          <QrCode text={setUp.uri} />
          <p>
            {text.orType} <code>{setUp.secret}</code>
          </p>
          <Ask key="code" name="code" label={text.code} isSecret={false} act={confirm}>{text.turnOn}</Ask>
        </>
      )}
      {setUp === undefined && value?.isOn === false && (
        <Ask key="on" name="password" label={text.oldPassword} isSecret act={begin}>{text.setUp}</Ask>
      )}
      {value?.isOn && (
        <>
          <Ask key="codes" name="password-codes" label={text.passwordForCodes} isSecret act={renew}>
            {text.newRecoveryCodes}
          </Ask>
          <Ask key="off" name="password-off" label={text.passwordForOff} isSecret act={turnOff}>{text.turnOff}</Ask>
        </>
      )}
    </section>
  );
}

interface AskProps {
  readonly name: string;
  readonly label: string;
  readonly isSecret: boolean;
  readonly act: (typed: string) => Promise<void>;
  readonly children: ComponentChildren;
}

/** One field, and the button that uses it. */
function Ask({ name, label, isSecret, act, children }: AskProps): JSX.Element {
  const [error, setError] = useState<string>();
  const [typed, setTyped] = useState("");
  async function send(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    try {
      await act(typed);
      setError(undefined);
      setTyped("");
    } catch (caught) {
      setError(messageOf(caught));
    }
  }
  return (
    <form onSubmit={send}>
      <div class="field">
        <label for={name}>{label}</label>
        <TextInput
          id={name}
          isSecret={isSecret}
          autocomplete={isSecret ? "current-password" : "one-time-code"}
          value={typed}
          onInput={setTyped}
          isRequired
        />
      </div>
      {error !== undefined && <p class="error" role="alert">{error}</p>}
      <button type="submit" class="btn">{children}</button>
    </form>
  );
}

function RecoveryCodes({ codes }: { codes: readonly string[] }): JSX.Element {
  const { value: text } = texts;
  return (
    <div role="status">
      <h3>{text.recoveryCodes}</h3>
      <p>{text.recoveryCodesHelp}</p>
      <ul class="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      {session.value?.mustSetUp && (
        <button
          type="button"
          class="btn primary"
          onClick={() => session.value = { ...session.value!, mustSetUp: false }}
        >
          {text.goOn}
        </button>
      )}
    </div>
  );
}

/** Draws a code in the page itself: the secret goes nowhere. */
function QrCode({ text }: { text: string }): JSX.Element {
  const code = qrcode(0, "M");
  code.addData(text);
  code.make();
  const size = code.getModuleCount();
  const numbers = Array.from({ length: size }, (_, index) => index);
  const path = numbers.flatMap((row) =>
    numbers.filter((column) => code.isDark(row, column)).map((column) => `M${column} ${row}h1v1h-1z`)
  ).join("");
  return (
    <svg class="qr" viewBox={`-4 -4 ${size + 8} ${size + 8}`} role="img" aria-label={texts.value.qrCode}>
      <path d={path} />
    </svg>
  );
}
