import { ApiError } from "edgehelm/client";
import type { JSX } from "preact";
import { texts } from "../texts/mod.ts";

/** Shows why something could not be loaded or done, in the words of the server. */
export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }): JSX.Element {
  return (
    <div class="failure" role="alert">
      <p>{messageOf(error)}</p>
      {onRetry && <button type="button" class="btn" onClick={onRetry}>{texts.value.retry}</button>}
    </div>
  );
}

export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return error.code === 0 ? texts.value.unreachable : error.message;
  return error instanceof Error ? error.message : String(error);
}
