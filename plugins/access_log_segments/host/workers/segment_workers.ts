import type { Damage } from "../files/directory.ts";
import type { SegmentInfo } from "../../search/segment.ts";
import type { ReaderRequest, SegmentOptions, WorkerEvent, WriterRequest } from "./messages.ts";
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
      case "change": {
        const { task, change } = event;
        const known = this.#readers.map((reader) => reader.request({ kind: "change", change }));
        return void this.#respond(task, Promise.all(known).then(() => []));
      }
      case "task":
        return void this.#respond(event.task, this.#sealer.request<SegmentInfo[]>(event.request));
    }
  }

  /** Tells the writer the outcome of a task. */
  async #respond(task: number, work: Promise<readonly SegmentInfo[]>): Promise<void> {
    const outcome = await work.then((infos) => ({ infos }), (error: Error) => ({ error: error.message }));
    await this.writer.request({ kind: "done", task, outcome }).catch(() => {});
  }
}
