import { parentPort } from "node:worker_threads";
import type { SegmentInfo } from "../../search/segment.ts";
import { type Numbered, UnavailableError, type WorkerEvent, type WorkerResponse } from "./messages.ts";

/** Handles the requests of the parent thread. The buffer of a value with `batch` is transferred, not copied. */
export function serve<Request>(handle: (request: Numbered<Request>) => unknown): void {
  parentPort?.on("message", async (request: Numbered<Request>) => {
    const { id } = request;
    let response: WorkerResponse;
    try {
      response = { id, value: await handle(request) };
    } catch (error) {
      response = {
        id,
        error: error instanceof Error ? error.message : String(error),
        isUnavailable: error instanceof UnavailableError,
      };
    }
    parentPort?.postMessage(response, transfersOf(response));
  });
}

export function emit(event: WorkerEvent): void {
  parentPort?.postMessage(event);
}

/** Reports a damaged segment. */
export function report({ name }: SegmentInfo, error: unknown): void {
  emit({ event: "damage", damage: { name, error: error instanceof Error ? error.message : String(error) } });
}

/** Yields to other work of this thread. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function transfersOf(response: WorkerResponse): ArrayBuffer[] {
  const batch = "value" in response ? (response.value as { batch?: ArrayBuffer } | undefined)?.batch : undefined;
  return batch === undefined ? [] : [batch];
}
