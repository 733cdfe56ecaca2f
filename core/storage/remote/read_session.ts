import type { ReadSession, SqlResult, SqlStatement, SqlValue } from "../engine.ts";
import type { ReadPrefetcher, ReadRequest } from "./read_prefetcher.ts";

/** Runs reads in one round trip if the server can. */
export type ReadBatch = (requests: readonly ReadRequest[], deadline?: number) => readonly Promise<SqlResult>[];

interface QueuedRead {
  readonly request: ReadRequest;
  readonly resolve: (result: Promise<SqlResult>) => void;
}

/**
 * The reads of one call. Reads that are requested in one turn of the event loop share a round trip. The first turn also
 * prefetches the reads that followed it in earlier calls.
 */
export class RemoteReadSession implements ReadSession {
  readonly writable = false;
  readonly #batch: ReadBatch;
  readonly #prefetcher: ReadPrefetcher;
  /** The requests of the first turn. */
  #first: readonly ReadRequest[] | undefined;
  /** The requests of later turns. */
  readonly #followed: ReadRequest[] = [];
  readonly #prefetched = new Map<string, Promise<SqlResult | undefined>>();
  #queue: QueuedRead[] = [];

  constructor(batch: ReadBatch, prefetcher: ReadPrefetcher) {
    this.#batch = batch;
    this.#prefetcher = prefetcher;
  }

  run(statement: SqlStatement, parameters: readonly SqlValue[], deadline?: number): Promise<SqlResult> {
    const request = this.#prefetcher.request(statement, parameters);
    if (this.#first === undefined) return this.#enqueue(request, deadline);
    this.#followed.push(request);
    const prefetched = this.#prefetched.get(request.key);
    if (prefetched === undefined) return this.#enqueue(request, deadline);
    // a repeated request must read again
    this.#prefetched.delete(request.key);
    return prefetched.then((result) => result ?? this.#enqueue(request, deadline));
  }

  /** Teaches the prefetcher the requests of this call. */
  end(): void {
    if (this.#first !== undefined) this.#prefetcher.learn(this.#first, this.#followed);
  }

  #enqueue(request: ReadRequest, deadline: number | undefined): Promise<SqlResult> {
    return new Promise((resolve) => {
      // deferred, so that further requests of the same turn join the batch
      if (this.#queue.push({ request, resolve }) === 1) queueMicrotask(() => this.#send(deadline));
    });
  }

  #send(deadline: number | undefined): void {
    const queue = this.#queue;
    this.#queue = [];
    const requests = queue.map(({ request }) => request);
    const predicted = this.#first === undefined ? this.#prefetcher.after(requests) : [];
    this.#first ??= requests;
    const results = this.#batch([...requests, ...predicted], deadline);
    for (const [index, { resolve }] of queue.entries()) resolve(results[index]!);
    for (const [index, { key }] of predicted.entries()) {
      // a prefetch that fails is ignored: the call reads again if it needs the result
      this.#prefetched.set(key, results[requests.length + index]!.catch(() => undefined));
    }
  }
}
