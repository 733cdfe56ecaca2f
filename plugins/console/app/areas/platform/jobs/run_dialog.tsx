import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { fill } from "../../../texts/fill.ts";
import { durationText } from "../duration.ts";
import { type JobInfo, type JobResult, runJob } from "../installation.ts";
import { texts } from "./texts.ts";

interface RunDialogProps {
  readonly job: JobInfo;
  readonly onEnded: () => void;
  readonly onClose: () => void;
}

/** Runs a job after a confirmation, and says how it went. */
export function RunDialog({ job, onEnded, onClose }: RunDialogProps): JSX.Element {
  const [result, setResult] = useState<JobResult>();
  const { value: text } = texts;
  async function run(): Promise<void> {
    setResult(await runJob(job.name));
    onEnded();
  }
  if (result !== undefined) {
    const duration = durationText(Number(result.durationMilliseconds) / 1000);
    return (
      <Dialog title={job.name} onClose={onClose}>
        <p role="status">{fill(text.results[result.result], { duration })}</p>
        {result.error !== "" && <p class="error">{result.error}</p>}
        <div class="actions">
          <button type="button" class="btn primary" onClick={onClose}>{text.close}</button>
        </div>
      </Dialog>
    );
  }
  return (
    <ActionDialog
      title={fill(text.runJob, { job: job.name })}
      action={text.run}
      isKeptOpen
      onAct={run}
      onClose={onClose}
    >
      <p>{text.runHelp}</p>
    </ActionDialog>
  );
}
