import { Worker } from "node:worker_threads";
import { kernelErrors } from "edgehelm";
import type { Answer, WorkerEvent } from "./messages.ts";

/** A worker that answers requests. It keeps the process alive only while it owes answers. */
export class WorkerClient<Request extends object> {
  readonly #worker: Worker;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;
  #fault: string | undefined;

  constructor(module: string, onEvent: (event: WorkerEvent) => void) {
    // packed, these files are JavaScript
    const url = new URL(`./${module}${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);
    this.#worker = new Worker(url);
    this.#worker.on("message", (message: Answer | WorkerEvent) => {
      if ("event" in message) onEvent(message);
      else this.#settle(message);
    });
    this.#worker.on("error", (error) => this.#fail(`a worker of the access logs crashed: ${error}`));
    this.#worker.on("exit", () => this.#fail("a worker of the access logs ended"));
    this.#worker.unref();
  }

  /** How many answers it owes. */
  get load(): number {
    return this.#pending.size;
  }

  get lastId(): number {
    return this.#lastId;
  }

  async request<Value>(request: Request, transfer: ArrayBuffer[] = []): Promise<Value> {
    if (this.#fault !== undefined) throw kernelErrors.unavailable(this.#fault);
    const id = ++this.#lastId;
    const outcome = Promise.withResolvers<unknown>();
    this.#pending.set(id, outcome);
    this.#worker.ref();
    this.#worker.postMessage({ ...request, id }, transfer);
    return await outcome.promise as Value;
  }

  async close(): Promise<void> {
    this.#fail("the access logs are closed");
    await this.#worker.terminate();
  }

  #settle(answer: Answer): void {
    const outcome = this.#pending.get(answer.id);
    this.#pending.delete(answer.id);
    if (this.#pending.size === 0) this.#worker.unref();
    if ("value" in answer) outcome?.resolve(answer.value);
    else outcome?.reject(answer.isRefusal ? kernelErrors.unavailable(answer.fault) : new Error(answer.fault));
  }

  #fail(reason: string): void {
    this.#fault ??= reason;
    for (const outcome of this.#pending.values()) outcome.reject(kernelErrors.unavailable(this.#fault));
    this.#pending.clear();
  }
}
