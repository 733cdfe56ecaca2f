import { Worker } from "node:worker_threads";
import { kernelErrors } from "edgehelm";
import type { Answer, WorkerEvent } from "./messages.ts";

/** Starts a worker out of a module of this folder. */
export type StartWorker = (module: "writer_worker" | "reader_worker") => Worker;

export const startWorker: StartWorker = (module) => {
  // packed, these files are JavaScript
  return new Worker(new URL(`./${module}${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url));
};

export interface WorkerListener {
  readonly event: (event: WorkerEvent) => void;
  /** It ended by itself. */
  readonly end: (reason: string) => void;
}

/** What callers are told of a store without workers; the reason is in the log. */
export function unavailable(): Error {
  return kernelErrors.unavailable("the access logs cannot be reached now; try again").retryAfter(1);
}

/** A worker that answers requests. It keeps the process alive only while it owes answers. */
export class WorkerClient<Request extends object> {
  readonly #worker: Worker;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;
  #isOver = false;

  constructor(worker: Worker, { event, end }: WorkerListener) {
    this.#worker = worker;
    const ended = (reason: string) => {
      if (this.#isOver) return;
      this.#refuse();
      end(reason);
    };
    worker.on("message", (message: Answer | WorkerEvent) => {
      if ("event" in message) event(message);
      else this.#settle(message);
    });
    worker.on("error", (error) => ended(`a worker crashed: ${error}`));
    worker.on("exit", () => ended("a worker ended"));
    worker.unref();
  }

  /** How many answers it owes. */
  get load(): number {
    return this.#pending.size;
  }

  get lastId(): number {
    return this.#lastId;
  }

  async request<Value>(request: Request, transfer: ArrayBuffer[] = []): Promise<Value> {
    if (this.#isOver) throw unavailable();
    const id = ++this.#lastId;
    const outcome = Promise.withResolvers<unknown>();
    this.#pending.set(id, outcome);
    this.#worker.ref();
    this.#worker.postMessage({ ...request, id }, transfer);
    return await outcome.promise as Value;
  }

  /** Resolves when the thread is gone. */
  async close(): Promise<void> {
    this.#refuse();
    await this.#worker.terminate();
  }

  #settle(answer: Answer): void {
    const outcome = this.#pending.get(answer.id);
    this.#pending.delete(answer.id);
    if (this.#pending.size === 0) this.#worker.unref();
    if ("value" in answer) outcome?.resolve(answer.value);
    else outcome?.reject(answer.isRefusal ? kernelErrors.unavailable(answer.fault) : new Error(answer.fault));
  }

  /** Takes nothing more, and answers what it owes. */
  #refuse(): void {
    this.#isOver = true;
    for (const outcome of this.#pending.values()) outcome.reject(unavailable());
    this.#pending.clear();
  }
}
