import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { messageOf } from "../../../parts/failure.tsx";
import { callPath } from "../../../shell/call.ts";
import { fill } from "../../../texts/fill.ts";
import { texts } from "./texts.ts";

interface Result {
  readonly isOk: boolean;
  readonly errorCode: string;
  readonly errorMessage: string;
  readonly currentTXTValues: readonly string[];
  readonly currentNSValues: readonly string[];
}

/** Asks the server to look for the records, and shows what it found. */
export function Check({ nsDomainId, onVerified }: { nsDomainId: bigint; onVerified: () => void }): JSX.Element {
  const [result, setResult] = useState<Result>();
  const [error, setError] = useState<unknown>();
  const [isChecking, setChecking] = useState(false);
  const { value: text } = texts;
  async function check(): Promise<void> {
    setChecking(true);
    setError(undefined);
    try {
      const found = await callPath("NSDomainService/verifyNSDomain", { nsDomainId }) as unknown as Result;
      setResult(found);
      if (found.isOk) onVerified();
    } catch (caught) {
      setError(caught);
    } finally {
      setChecking(false);
    }
  }
  return (
    <>
      <button type="button" class="btn primary" disabled={isChecking} onClick={check}>
        {isChecking ? text.checking : text.checkNow}
      </button>
      <div role="status">
        {error !== undefined && <p class="notice bad">{messageOf(error)}</p>}
        {result?.isOk === false && <Missing result={result} />}
      </div>
    </>
  );
}

function Missing({ result }: { result: Result }): JSX.Element {
  const { errorCode, errorMessage, currentNSValues, currentTXTValues } = result;
  const { value: text } = texts;
  const list = (values: readonly string[]) => values.length === 0 ? text.nothing : values.join(", ");
  return (
    <div class="notice warn">
      <p>{errorCode === "TransferRequired" ? text.transfer : errorMessage}</p>
      <p class="dim">{fill(text.found, { values: list(currentNSValues) })}</p>
      <p class="dim">{fill(text.foundTXT, { values: list(currentTXTValues) })}</p>
      <p>{text.wait}</p>
    </div>
  );
}
