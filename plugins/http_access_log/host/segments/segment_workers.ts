import type { Damage } from "./directory.ts";
import type { ReaderRequest, SegmentOptions, TaskOutcome, WorkerEvent, WriterRequest } from "./messages.ts";
import { type StartWorker, unavailable, WorkerClient } from "./worker_client.ts";

const READERS = 2;

export interface SegmentWorkersDeps {
  readonly options: SegmentOptions;
  readonly start: StartWorker;
  readonly damage: (damage: Damage) => void;
  /** One of them ended by itself, or cannot open the directory: together they are of no use any more. */
  readonly end: (reason: string) => void;
}

/** The threads of a store: one that takes in, one that seals, and those that search. */
export class SegmentWorkers {
  readonly writer: WorkerClient<WriterRequest>;
  /** Resolves when requests are answered. */
  readonly opened: Promise<void>;
  readonly #sealer: WorkerClient<ReaderRequest>;
  readonly #readers: readonly WorkerClient<ReaderRequest>[];
  readonly #damage: SegmentWorkersDeps["damage"];

  constructor({ options, start, damage, end }: SegmentWorkersDeps) {
    this.#damage = damage;
    const listener = { event: (event: WorkerEvent) => this.#take(event), end };
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
    // told to whoever calls
    this.opened.catch(() => {});
  }

  /** The reader that has least to do. */
  get reader(): WorkerClient<ReaderRequest> {
    return this.#readers.reduce((best, one) => one.load < best.load ? one : best);
  }

  /** Ends the threads, whatever they are at. */
  async close(): Promise<void> {
    await Promise.all([this.writer, this.#sealer, ...this.#readers].map((worker) => worker.close()));
  }

  #take(event: WorkerEvent): void {
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
      (error: Error): TaskOutcome => ({ fault: error.message }),
    );
    await this.writer.request({ kind: "sealed", task, outcome }).catch(() => {});
  }
}
