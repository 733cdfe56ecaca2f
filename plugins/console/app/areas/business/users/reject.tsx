import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { callPath } from "../../../shell/call.ts";
import { Decision, type DecisionProps } from "./decision.tsx";
import { VERIFY } from "./standing.ts";
import { texts } from "./texts.ts";

/** Rejects the registration of a user, with a reason. */
export default function Reject(props: DecisionProps): JSX.Element {
  const [reason, setReason] = useState("");
  return (
    <Decision
      {...props}
      what="reject"
      onAct={({ id }) => callPath(VERIFY, { userId: id, isRejected: true, rejectReason: reason.trim() })}
    >
      <div class="field">
        <label for="reject-reason">{texts.value.rejectReason}</label>
        <textarea
          id="reject-reason"
          rows={3}
          required
          value={reason}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
      </div>
    </Decision>
  );
}
