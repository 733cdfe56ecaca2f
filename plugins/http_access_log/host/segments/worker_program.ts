import { parentPort } from "node:worker_threads";
import { type Answer, type Numbered, Refusal, type WorkerEvent } from "./messages.ts";

/** Answers the requests of the parent. A value with `batch` is moved instead of copied. */
export function serve<Request>(handle: (request: Numbered<Request>) => unknown): void {
  parentPort?.on("message", async (request: Numbered<Request>) => {
    const { id } = request;
    let answer: Answer;
    try {
      answer = { id, value: await handle(request) };
    } catch (error) {
      answer = {
        id,
        fault: error instanceof Error ? error.message : String(error),
        isRefusal: error instanceof Refusal,
      };
    }
    parentPort?.postMessage(answer, transfersOf(answer));
  });
}

export function tell(event: WorkerEvent): void {
  parentPort?.postMessage(event);
}

/** Gives what else waits for this thread a turn. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function transfersOf(answer: Answer): ArrayBuffer[] {
  const batch = "value" in answer ? (answer.value as { batch?: ArrayBuffer } | undefined)?.batch : undefined;
  return batch === undefined ? [] : [batch];
}
