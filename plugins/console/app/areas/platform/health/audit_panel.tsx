import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Failure, messageOf } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Moment } from "../../../parts/lists/moment.tsx";
import { State } from "../../../parts/state.tsx";
import { linkTo } from "../../../shell/route.ts";
import { mayCall } from "../../../shell/state.ts";
import { fill } from "../../../texts/fill.ts";
import { count } from "../../../texts/mod.ts";
import { loadAuditState, VERIFY, verifyAudit } from "../installation.ts";
import { texts } from "./texts.ts";

const KINDS = { never: "idle", ok: "ok", broken: "bad" } as const;

/** The audit log: whether its chain is whole, and a button to verify it. */
export function AuditPanel({ onVerified }: { onVerified: () => void }): JSX.Element {
  const state = useLoaded(loadAuditState, []);
  const [note, setNote] = useState("");
  const [isBusy, setBusy] = useState(false);
  const { audit: text } = texts.value;
  async function verify(): Promise<void> {
    setBusy(true);
    try {
      const { result, error } = await verifyAudit();
      setNote(fill(text.results[result], { error }));
      state.reload();
      onVerified();
    } catch (error) {
      setNote(messageOf(error));
    }
    setBusy(false);
  }
  const { value } = state;
  return (
    <>
      <h2 class="related">{text.title}</h2>
      <div class="panel">
        {state.error !== undefined && <Failure error={state.error} onRetry={state.reload} />}
        {value && (
          <dl>
            <div>
              <dt>{text.title}</dt>
              <dd>
                <State kind={KINDS[value.state]} text={text.states[value.state]} />
              </dd>
            </div>
            {value.verifiedAt > 0n && (
              <div>
                <dt>{text.verified}</dt>
                <dd>
                  <Moment at={value.verifiedAt} />
                </dd>
              </div>
            )}
            {value.verifiedAt > 0n && (
              <div>
                <dt>{text.records}</dt>
                <dd>{count(value.countRecords)}</dd>
              </div>
            )}
          </dl>
        )}
        {value?.errors.map((error) => <p key={error} class="error">{error}</p>)}
        <div class="bar">
          {mayCall(VERIFY) && (
            <button type="button" class="btn" disabled={isBusy} onClick={verify}>{text.verify}</button>
          )}
          <a class="btn" href={linkTo(["audit"], { source: "audit" })}>{text.show}</a>
          <span class="dim" role="status">{note}</span>
        </div>
      </div>
    </>
  );
}
