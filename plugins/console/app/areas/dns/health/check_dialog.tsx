import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { Failure } from "../../../parts/failure.tsx";
import { readJson, writeJson } from "../../../parts/json_bytes.ts";
import { useLoaded } from "../../../parts/loaded.ts";
import { callPath } from "../../../shell/call.ts";
import { texts } from "./texts.ts";

interface Check {
  readonly isOn?: boolean;
  readonly port?: number;
  readonly timeoutSeconds?: number;
  readonly countDown?: number;
  readonly countUp?: number;
}

const NUMBERS = ["port", "timeoutSeconds", "countDown", "countUp"] as const;
const DEFAULTS = { port: 80, timeoutSeconds: 5, countDown: 3, countUp: 1 } as const;

interface CheckDialogProps {
  readonly nsDomainId: bigint;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** The health check of all addresses in a domain. */
export function CheckDialog({ nsDomainId, onDone, onClose }: CheckDialogProps): JSX.Element {
  const { value: text } = texts;
  const loaded = useLoaded(async (signal) => {
    const found = await callPath("NSDomainService/findNSDomainRecordsHealthCheck", { nsDomainId }, signal);
    return readJson<Check>(found["nsDomainRecordsHealthCheckJSON"]) ?? {};
  }, [nsDomainId]);
  const [changes, setChanges] = useState<Check>({});
  const check = { ...loaded.value, ...changes };
  async function save(): Promise<void> {
    const nsDomainRecordsHealthCheckJSON = writeJson({ isOn: false, ...check });
    await callPath("NSDomainService/updateNSDomainRecordsHealthCheck", { nsDomainId, nsDomainRecordsHealthCheckJSON });
    onDone();
  }
  return (
    <ActionDialog
      title={text.setTitle}
      action={text.save}
      isDisabled={loaded.value === undefined}
      onAct={save}
      onClose={onClose}
    >
      {loaded.error !== undefined && <Failure error={loaded.error} onRetry={loaded.reload} />}
      <p>{text.setHelp}</p>
      <label class="field check-field">
        <input
          type="checkbox"
          checked={check.isOn === true}
          onChange={(event) => setChanges({ ...changes, isOn: event.currentTarget.checked })}
        />
        {text.isOn}
      </label>
      {NUMBERS.map((key) => (
        <label key={key} class="field">
          {text[key]}
          <input
            type="number"
            min={1}
            placeholder={String(DEFAULTS[key])}
            value={check[key] || ""}
            onInput={(event) => setChanges({ ...changes, [key]: event.currentTarget.valueAsNumber || 0 })}
          />
        </label>
      ))}
    </ActionDialog>
  );
}
