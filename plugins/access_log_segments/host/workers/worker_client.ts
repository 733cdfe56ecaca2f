import { Worker } from "node:worker_threads";
import { kernelErrors } from "edgehelm";
import type { WorkerEvent, WorkerResponse } from "./messages.ts";

/** Starts a worker from a module of this folder. */
export type StartWorker = (module: "writer_worker" | "reader_worker") => Worker;

export const startWorker: StartWorker = (module) => {
  // in the packed project these files are JavaScript
  return new Worker(new URL(`./${module}${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url));
};

export interface WorkerListener {
  readonly event: (event: WorkerEvent) => void;
  /** Called when the worker ended unexpectedly. */
  readonly end: (reason: string) => void;
}

/** Returns the error for callers while there are no workers; the log has the reason. */
export function unavailable(): Error {
  return kernelErrors.unavailable("the access log store is restarting; retry later").retryAfter(1);
}

/** Sends requests to a worker, which keeps the process alive only while requests are pending. */
export class WorkerClient<Request extends object> {
  readonly #worker: Worker;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;
  #isClosed = false;

  constructor(worker: Worker, { event, end }: WorkerListener) {
    this.#worker = worker;
    const ended = (reason: string) => {
      if (this.#isClosed) return;
      this.#rejectPending();
      end(reason);
    };
    worker.on("message", (message: WorkerResponse | WorkerEvent) => {
      if ("event" in message) event(message);
      else this.#settle(message);
    });
    worker.on("error", (error) => ended(`a worker crashed: ${error}`));
    worker.on("exit", () => ended("a worker ended"));
    worker.unref();
  }

  /** The number of pending requests. */
  get load(): number {
    return this.#pending.size;
  }

  get lastId(): number {
    return this.#lastId;
  }

  async request<Value>(request: Request, transfer: ArrayBuffer[] = []): Promise<Value> {
    if (this.#isClosed) throw unavailable();
    const id = ++this.#lastId;
    const outcome = Promise.withResolvers<unknown>();
    this.#pending.set(id, outcome);
    this.#worker.ref();
    this.#worker.postMessage({ ...request, id }, transfer);
    return await outcome.promise as Value;
  }

  /** Terminates the thread; resolves when it has ended. */
  async close(): Promise<void> {
    this.#rejectPending();
    await this.#worker.terminate();
  }

  #settle(response: WorkerResponse): void {
    const outcome = this.#pending.get(response.id);
    this.#pending.delete(response.id);
    if (this.#pending.size === 0) this.#worker.unref();
    if ("value" in response) outcome?.resolve(response.value);
    else outcome?.reject(response.isUnavailable ? kernelErrors.unavailable(response.error) : new Error(response.error));
  }

  /** Stops accepting requests and rejects the pending ones. */
  #rejectPending(): void {
    this.#isClosed = true;
    for (const outcome of this.#pending.values()) outcome.reject(unavailable());
    this.#pending.clear();
  }
}
