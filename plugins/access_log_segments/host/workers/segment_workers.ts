import type { Damage } from "../files/directory.ts";
import type { ReaderRequest, SegmentOptions, TaskOutcome, WorkerEvent, WriterRequest } from "./messages.ts";
import { type StartWorker, unavailable, WorkerClient } from "./worker_client.ts";

const READERS = 2;

export interface SegmentWorkersDeps {
  readonly options: SegmentOptions;
  readonly start: StartWorker;
  readonly damage: (damage: Damage) => void;
  /** Called when a worker ended unexpectedly or could not open the directory; the others must then be closed. */
  readonly end: (reason: string) => void;
}

/** The worker threads of a store: a writer, a sealer, and readers for searches. */
export class SegmentWorkers {
  readonly writer: WorkerClient<WriterRequest>;
  /** Resolves when the workers accept requests. */
  readonly opened: Promise<void>;
  readonly #sealer: WorkerClient<ReaderRequest>;
  readonly #readers: readonly WorkerClient<ReaderRequest>[];
  readonly #damage: SegmentWorkersDeps["damage"];

  constructor({ options, start, damage, end }: SegmentWorkersDeps) {
    this.#damage = damage;
    const listener = { event: (event: WorkerEvent) => this.#handle(event), end };
    const reader = () => new WorkerClient<ReaderRequest>(start("reader_worker"), listener);
    this.writer = new WorkerClient(start("writer_worker"), listener);
    this.#sealer = reader();
    this.#readers = Array.from({ length: READERS }, reader);
    const { directory } = options;
    const opening = this.#readers.map((one) => one.request<void>({ kind: "open", directory }));
    opening.push(this.writer.request({ kind: "open", options }));
    this.opened = Promise.all(opening).then(() => {}, (error: Error) => {
      end(error.message);
      throw unavailable();
    });
    // callers that await it see the error
    this.opened.catch(() => {});
  }

  /** The reader with the fewest pending requests. */
  get reader(): WorkerClient<ReaderRequest> {
    return this.#readers.reduce((best, one) => one.load < best.load ? one : best);
  }

  /** Terminates the threads immediately. */
  async close(): Promise<void> {
    await Promise.all([this.writer, this.#sealer, ...this.#readers].map((worker) => worker.close()));
  }

  #handle(event: WorkerEvent): void {
    switch (event.event) {
      case "damage":
        return this.#damage(event.damage);
      case "change":
        for (const reader of this.#readers) {
          void reader.request({ kind: "change", change: event.change }).catch(() => {});
        }
        return;
      case "task":
        void this.#runTask(event.task, event.request);
    }
  }

  async #runTask(task: number, request: ReaderRequest): Promise<void> {
    const outcome = await this.#sealer.request<TaskOutcome & object>(request).then(
      (infos): TaskOutcome => ({ infos: infos as never }),
      (error: Error): TaskOutcome => ({ error: error.message }),
    );
    await this.writer.request({ kind: "sealed", task, outcome }).catch(() => {});
  }
}
