import type { JSX } from "preact";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { callPath } from "../../../shell/call.ts";
import { fill } from "../../../texts/fill.ts";
import type { HealthState } from "./states.ts";
import { texts } from "./texts.ts";

interface ServeAgainProps {
  readonly state: HealthState;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Has a record served again, whatever nodes reported of it. */
export function ServeAgain({ state: { nsRecordId, name, type }, onDone, onClose }: ServeAgainProps): JSX.Element {
  const { value: text } = texts;
  async function serve(): Promise<void> {
    await callPath("NSRecordService/updateNSRecordIsUp", { nsRecordId, isUp: true });
    onDone();
  }
  return (
    <ActionDialog
      title={fill(text.returnOf, { name: `${name} ${type}` })}
      action={text.return}
      onAct={serve}
      onClose={onClose}
    >
      <p>{text.returnHelp}</p>
    </ActionDialog>
  );
}
