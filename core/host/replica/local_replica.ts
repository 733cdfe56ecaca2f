import type { Logger } from "../../base/log.ts";
import type { SqlResult } from "../../storage/engine.ts";
import type { ReadRequest } from "../../storage/remote/read_prefetcher.ts";
import type { ReadReplica } from "../../storage/remote/replica.ts";
import { ChildProgram } from "../child/child_program.ts";
import type { ReplicaRequest, ReplicaResponse, ReplicaSource } from "./replica_message.ts";

/** Timeouts in milliseconds, and the limit of synchronisation errors. */
export interface ReplicaLimits {
  /** The time that a read waits for the replica before it falls back to the database. */
  readonly readTimeout: number;
  /** The time without a response after which the process is killed. */
  readonly responseTimeout: number;
  /** The same for the first response, which may require a copy of the whole database. */
  readonly firstResponseTimeout: number;
  /** The upper bound of the growing delay before the process is restarted. */
  readonly maxRestartDelay: number;
  /** The number of consecutive synchronisation errors, except connection errors, after which the copy is discarded. */
  readonly maxSyncErrors: number;
}

export const REPLICA_LIMITS: ReplicaLimits = {
  readTimeout: 500,
  responseTimeout: 10_000,
  firstResponseTimeout: 30 * 60_000,
  maxRestartDelay: 30_000,
  maxSyncErrors: 3,
};

export interface ReplicaOptions extends Omit<ReplicaSource, "discardsCopy"> {
  readonly log: Logger;
  readonly limits?: Partial<ReplicaLimits>;
}

interface PendingRequest {
  readonly sentAt: number;
  readonly settle: (results: readonly SqlResult[] | undefined) => void;
}

type Child = ChildProgram<ReplicaSource | ReplicaRequest, ReplicaResponse>;

const MIN_RESTART_DELAY = 1000;
const CONNECTION_ERROR = /connect|transport|unavailable|timed? ?out|dns|hyper|tcp|reset|broken pipe/i;

/** A local replica of a remote database, maintained by a child process. */
export class LocalReplica implements ReadReplica {
  readonly #options: ReplicaOptions;
  readonly #limits: ReplicaLimits;
  readonly #heartbeat: ReturnType<typeof setInterval>;
  #child: Child | undefined;
  /** Requests without a response, in the order in which they were sent. */
  #pending: PendingRequest[] = [];
  #writes = 0;
  #hasResponded = false;
  /** True if reads use the replica. Undefined until the first response. */
  #isInUse: boolean | undefined;
  #syncErrors = 0;
  #restartDelay = MIN_RESTART_DELAY;
  #restartAt = 0;
  #discardsCopy = false;

  constructor(options: ReplicaOptions) {
    this.#options = options;
    this.#limits = { ...REPLICA_LIMITS, ...options.limits };
    this.#heartbeat = setInterval(() => this.#beat(), options.maxAgeMilliseconds);
    this.#beat();
  }

  /** The id of the child process. */
  get processId(): number | undefined {
    return this.#child?.processId;
  }

  read(requests: readonly ReadRequest[]): Promise<readonly SqlResult[] | undefined> {
    if (this.#isInUse !== true || this.#child === undefined) return Promise.resolve(undefined);
    const statements = requests.map(({ statement: { sql }, parameters }) => ({ sql, parameters }));
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#disable("read timeout");
        resolve(undefined);
      }, this.#limits.readTimeout);
      this.#send(statements, (results) => {
        clearTimeout(timer);
        resolve(results);
      });
    });
  }

  invalidate(): void {
    this.#writes++;
  }

  close(): Promise<void> {
    clearInterval(this.#heartbeat);
    const child = this.#child;
    this.#child = undefined;
    child?.kill();
    this.#abandonPending();
    return Promise.resolve();
  }

  /** Synchronises regularly, so that reads rarely have to, and restarts or kills the process if needed. */
  #beat(): void {
    const now = performance.now();
    if (this.#child === undefined) {
      if (now >= this.#restartAt) this.#start();
      return;
    }
    const [oldest] = this.#pending;
    if (oldest === undefined) this.#send([], () => {});
    else {
      const { responseTimeout, firstResponseTimeout } = this.#limits;
      if (now - oldest.sentAt > (this.#hasResponded ? responseTimeout : firstResponseTimeout)) this.#child.kill();
    }
  }

  #start(): void {
    const program = import.meta.url.replace("local_replica", "replica_process");
    const { directory, url, token, maxAgeMilliseconds } = this.#options;
    const child: Child = new ChildProgram("the replica process", program, [], {
      response: (response) => child === this.#child && this.#onResponse(response),
      // A killed process also reports its exit, by which time its successor may run.
      end: (error) => child === this.#child && this.#onEnd(error),
    });
    this.#child = child;
    this.#hasResponded = false;
    child.send({ directory, url, token, maxAgeMilliseconds, discardsCopy: this.#discardsCopy });
    this.#discardsCopy = false;
    this.#send([], () => {});
  }

  #send(statements: ReplicaRequest["statements"], settle: PendingRequest["settle"]): void {
    this.#pending.push({ sentAt: performance.now(), settle });
    this.#child!.send({ minWrites: this.#writes, statements });
  }

  #onResponse(response: ReplicaResponse): void {
    const request = this.#pending.shift();
    this.#hasResponded = true;
    if ("syncError" in response) {
      this.#disable(response.syncError);
      this.#onSyncError(response.syncError);
    } else {
      this.#syncErrors = 0;
      this.#restartDelay = MIN_RESTART_DELAY;
      if (this.#pending.length === 0) this.#enable();
    }
    request?.settle("results" in response ? response.results : undefined);
  }

  /** A copy that repeatedly fails to synchronise belongs to a database that was replaced, so it is discarded. */
  #onSyncError(message: string): void {
    if (CONNECTION_ERROR.test(message)) return;
    this.#syncErrors++;
    if (this.#syncErrors < this.#limits.maxSyncErrors) return;
    this.#syncErrors = 0;
    this.#discardsCopy = true;
    this.#child?.kill();
  }

  #onEnd(error: Error): void {
    this.#child = undefined;
    this.#disable(error.message);
    this.#abandonPending();
    this.#restartAt = performance.now() + this.#restartDelay;
    this.#restartDelay = Math.min(this.#restartDelay * 2, this.#limits.maxRestartDelay);
  }

  #abandonPending(): void {
    for (const { settle } of this.#pending.splice(0)) settle(undefined);
  }

  #enable(): void {
    if (this.#isInUse !== true) this.#options.log.info("replica in use");
    this.#isInUse = true;
  }

  #disable(reason: string): void {
    if (this.#isInUse !== false) this.#options.log.warn("replica not in use; reading from the database", { reason });
    this.#isInUse = false;
  }
}
