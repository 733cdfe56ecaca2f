import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { callPath } from "../../../shell/call.ts";
import { fill } from "../../../texts/fill.ts";
import type { Task } from "./task.ts";
import { texts } from "./texts.ts";

interface RevokeProps {
  readonly task: Task;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Revokes the certificate of a task, for one of the reasons that providers accept (RFC 5280, 5.3.1). */
export function RevokeDialog({ task: { id, domains, autoRenew }, onDone, onClose }: RevokeProps): JSX.Element {
  const { value: text } = texts;
  const [reason, setReason] = useState("0");
  async function revoke(): Promise<void> {
    await callPath("ACMETaskService/revokeACMETaskCert", { acmeTaskId: id, reason: Number(reason) });
    onDone();
  }
  const title = fill(text.revokeTitle, { names: domains.join(", ") });
  return (
    <ActionDialog title={title} action={text.revoke} isDangerous onAct={revoke} onClose={onClose}>
      <p>{text.revokeHelp}</p>
      <p>{autoRenew ? text.revokeOrders : text.revokeEnds}</p>
      <label class="field">
        {text.reason}
        <select value={reason} onChange={(event) => setReason(event.currentTarget.value)}>
          {text.reasons.map(({ code, name }) => <option key={code} value={code}>{name}</option>)}
        </select>
      </label>
    </ActionDialog>
  );
}
