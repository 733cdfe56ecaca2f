import { Worker } from "node:worker_threads";
import {
  checkNewPassword,
  isPossiblePassword,
  isWithinCostLimit,
  normalizePassword,
  type Passwords,
} from "../../auth/passwords.ts";
import { kernelErrors } from "../../base/errors.ts";
import type { PasswordJob, PasswordJobResult } from "./password_worker.ts";

// In the packed project, both this file and the worker are JavaScript.
const WORKER = new URL(`./password_worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

export interface WorkerPasswordsOptions {
  /** The maximum number of jobs that wait or run. Further jobs are refused as unavailable. */
  readonly queueLimit?: number;
  /** The time in milliseconds that one job may take. A worker that takes longer is replaced. */
  readonly jobTime?: number;
  /** The worker module, replaced in tests. */
  readonly worker?: URL;
}

/** The longest time of a job that does not hang: a hundred times what it takes on a small machine. */
const JOB_MILLISECONDS = 20_000;

/** Hashes with argon2id in a worker thread, which starts with the first password and restarts if it crashes or hangs. */
export class WorkerPasswords implements Passwords {
  readonly #queueLimit: number;
  readonly #workerUrl: URL;
  readonly #pending = new Map<number, PromiseWithResolvers<string | boolean>>();
  readonly #jobTime: number;
  #worker: Worker | undefined;
  /** Limits the time until the next result while jobs are pending. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastId = 0;
  #closed = false;

  constructor(
    { queueLimit = 64, jobTime = JOB_MILLISECONDS, worker = WORKER }: WorkerPasswordsOptions = {},
  ) {
    this.#queueLimit = queueLimit;
    this.#jobTime = jobTime;
    this.#workerUrl = worker;
  }

  async hash(password: string): Promise<string> {
    checkNewPassword("password", password);
    return String(await this.#run(password, undefined));
  }

  async verify(password: string, phc: string): Promise<boolean> {
    if (!isPossiblePassword(password)) return false;
    if (!isWithinCostLimit(phc)) return await this.verifyNothing(password);
    return await this.#run(password, phc) === true;
  }

  async verifyNothing(password: string): Promise<false> {
    if (isPossiblePassword(password)) await this.#run(password, undefined);
    return false;
  }

  /** Rejects pending jobs and terminates the worker. */
  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#drop(worker, "password hashing is closed");
    await worker.terminate();
  }

  async #run(password: string, phc: string | undefined): Promise<string | boolean> {
    if (this.#closed) throw kernelErrors.unavailable("password hashing is closed");
    if (this.#pending.size >= this.#queueLimit) {
      throw kernelErrors.unavailable(`the password queue is full (${this.#queueLimit} jobs); try again`);
    }
    const worker = this.#worker ??= this.#start();
    const job: PasswordJob = { id: ++this.#lastId, password: normalizePassword(password), phc };
    const outcome = Promise.withResolvers<string | boolean>();
    this.#pending.set(job.id, outcome);
    if (this.#pending.size === 1) this.#watch(worker);
    worker.ref();
    worker.postMessage(job);
    return await outcome.promise;
  }

  #start(): Worker {
    const worker = new Worker(this.#workerUrl);
    worker.on("message", (result: PasswordJobResult) => this.#settle(worker, result));
    worker.on("error", (cause) => this.#drop(worker, "the password worker crashed; try again", cause));
    worker.on("exit", () => this.#drop(worker, "the password worker exited; try again"));
    return worker;
  }

  #settle(worker: Worker, result: PasswordJobResult): void {
    if (this.#worker !== worker) return;
    const outcome = this.#pending.get(result.id);
    this.#pending.delete(result.id);
    // An idle worker must not keep the process alive.
    if (this.#pending.size === 0) worker.unref();
    this.#watch(worker);
    if ("value" in result) outcome?.resolve(result.value);
    else outcome?.reject(new Error(`password hashing failed: ${result.error}`));
  }

  /** Replaces the worker if it returns no result in time, although jobs are pending. */
  #watch(worker: Worker): void {
    clearTimeout(this.#timer);
    if (this.#pending.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#drop(worker, `the password worker did not respond for ${this.#jobTime / 1000} seconds; try again`);
      // Not awaited: it may hang in a call that cannot be interrupted.
      void worker.terminate();
    }, this.#jobTime);
  }

  #drop(worker: Worker, reason: string, cause?: unknown): void {
    if (this.#worker !== worker) return;
    clearTimeout(this.#timer);
    this.#worker = undefined;
    const error = kernelErrors.unavailable(reason);
    error.cause = cause;
    for (const outcome of this.#pending.values()) outcome.reject(error);
    this.#pending.clear();
  }
}
