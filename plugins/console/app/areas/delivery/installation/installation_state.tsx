import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { State } from "../../../parts/state.tsx";
import { callPath } from "../../../shell/call.ts";
import { mayCall } from "../../../shell/state.ts";
import { fill } from "../../../texts/fill.ts";
import { relativeTime, time } from "../../../texts/mod.ts";
import {
  ACCEPT_KEY,
  type HostKey,
  type Installation,
  isRunning,
  type Step,
  type StepCode,
  STEPS,
} from "./installation.ts";
import { texts } from "./texts.ts";

type StateProps = Parameters<typeof State>[0];

interface InstallationStateProps {
  readonly installation: Installation;
  /** Called when a host key was accepted. */
  readonly onAccepted: () => void;
}

/** The steps of an installation as they come, its error, and what to do about it. */
export function InstallationState({ installation, onAccepted }: InstallationStateProps): JSX.Element {
  const { value: text } = texts;
  const { state, version, error, errorCode, hostKey, requestedAt } = installation;
  return (
    <div aria-live="polite">
      <div class="pad">
        <p>
          <State {...stateOf(installation)} /> {version !== "" && fill(text.ofVersion, { version })}{" "}
          <time class="dim" title={time(requestedAt)}>{relativeTime(requestedAt)}</time>
        </p>
        {state === "failed" && (
          <div class="error" role="alert">
            <p>{error}</p>
            <p>{hostKey === undefined ? text.advice[errorCode as keyof typeof text.advice] ?? "" : text.keyChanged}</p>
          </div>
        )}
        {hostKey !== undefined && state === "failed" && <ChangedKey hostKey={hostKey} onAccepted={onAccepted} />}
      </div>
      <table class="list">
        <thead>
          <tr>
            <th>{text.step}</th>
            <th>{text.state}</th>
          </tr>
        </thead>
        <tbody>
          {STEPS.map((code) => (
            <tr key={code}>
              <td class="first">{text.steps[code]}</td>
              <td>
                <State {...stepState(code, installation)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ChangedKey({ hostKey, onAccepted }: { hostKey: HostKey; onAccepted: () => void }): JSX.Element {
  const { value: text } = texts;
  const [isAsked, setAsked] = useState(false);
  const { host, port, fingerprint, offeredFingerprint } = hostKey;
  return (
    <>
      <dl class="host-keys">
        <div>
          <dt>{text.knownKey}</dt>
          <dd class="mono">{fingerprint}</dd>
        </div>
        <div>
          <dt>{text.offeredKey}</dt>
          <dd class="mono">{offeredFingerprint}</dd>
        </div>
      </dl>
      {mayCall(ACCEPT_KEY) && offeredFingerprint !== "" && (
        <p>
          <button type="button" class="btn" onClick={() => setAsked(true)}>{text.acceptKey}</button>
        </p>
      )}
      {isAsked && (
        <ActionDialog
          title={text.acceptKey}
          action={text.acceptKey}
          isDangerous
          onAct={async () => {
            await callPath(ACCEPT_KEY, { host, port, fingerprint: offeredFingerprint });
            onAccepted();
          }}
          onClose={() => setAsked(false)}
        >
          <p>{fill(text.acceptHelp, { host, port })}</p>
          <p class="mono">{offeredFingerprint}</p>
        </ActionDialog>
      )}
    </>
  );
}

function stateOf({ state }: Installation): StateProps {
  const kinds = { waiting: "idle", running: "warn", done: "ok", failed: "bad", cancelled: "idle" } as const;
  return { kind: kinds[state], text: texts.value.states[state] };
}

function stepState(code: StepCode, installation: Installation): StateProps {
  const { value: text } = texts;
  const step: Step | undefined = installation.steps.find((one) => one.code === code);
  if (step === undefined) return { kind: "idle", text: text.notBegun };
  if (step.endedAt > 0n) return { kind: "ok", text: text.states.done };
  if (!isRunning(installation)) return { kind: "bad", text: text.states.failed };
  const percent = step.percent > 0 ? ` ${step.percent} %` : "";
  return { kind: "warn", text: `${text.states.running}${percent}` };
}
