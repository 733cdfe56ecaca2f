import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import type { BackupResult } from "../installation.ts";
import { texts } from "./texts.ts";

interface WorkDialogProps {
  readonly title: string;
  readonly action: string;
  readonly work: () => Promise<BackupResult>;
  readonly onEnded: () => void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Makes or checks a backup after a confirmation, and says how it went. */
export function WorkDialog({ title, action, work, onEnded, onClose, children }: WorkDialogProps): JSX.Element {
  const [result, setResult] = useState<BackupResult>();
  const { value: text } = texts;
  async function act(): Promise<void> {
    setResult(await work());
    onEnded();
  }
  if (result === undefined) {
    return (
      <ActionDialog title={title} action={action} isKeptOpen onAct={act} onClose={onClose}>
        <p>{children}</p>
      </ActionDialog>
    );
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <p role="status">{text.results[result.result]}</p>
      {result.error !== "" && <p class="error">{result.error}</p>}
      <div class="actions">
        <button type="button" class="btn primary" onClick={onClose}>{text.close}</button>
      </div>
    </Dialog>
  );
}
