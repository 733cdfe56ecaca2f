import { kernelErrors, RpcError } from "../base/errors.ts";
import { shared } from "../base/gate.ts";
import { errorText } from "../base/log.ts";
import { StartupError } from "../base/startup_error.ts";
import { type IsolateDeps, type OpenInstallation, openInstallation } from "./installation.ts";
import type { OpenOptions } from "./options.ts";

/** What could not be opened is not tried again sooner, however many ask. */
const RETRY_MILLISECONDS = 1000;
/** What has not opened by then never will: the runtime may have ended the request that began it. */
const OPEN_MILLISECONDS = 20_000;
/** How often it is looked, beside a request, whether the tables are still those of this release. */
const LOOK_MILLISECONDS = 5000;
/** After so long a time a request waits for that look. */
const STALE_MILLISECONDS = 60_000;

/**
 * Keeps the one installation of an isolate: opened with the first request, tried again after a failure, and given up
 * when the tables become another release's, until they fit again.
 */
export class Keeper {
  readonly #options: OpenOptions;
  readonly #deps: IsolateDeps;
  #open: OpenInstallation | undefined;
  #opening: { readonly since: number; readonly outcome: Promise<OpenInstallation> } | undefined;
  #failed: { readonly at: number; readonly error: RpcError } | undefined;
  #lookedAt = 0;
  #looking: Promise<void> | undefined;

  constructor(options: OpenOptions, deps: IsolateDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  /** @throws RpcError unavailable, which says what is wrong */
  async get(): Promise<OpenInstallation> {
    const age = Date.now() - this.#lookedAt;
    if (this.#open !== undefined && age >= LOOK_MILLISECONDS) {
      this.#looking ??= this.#inBackground(this.#look(this.#open).finally(() => this.#looking = undefined));
      if (age >= STALE_MILLISECONDS) await this.#within(LOOK_MILLISECONDS, this.#looking);
    }
    return this.#open ?? await this.#opened();
  }

  async #opened(): Promise<OpenInstallation> {
    const now = Date.now();
    if (this.#failed !== undefined && now - this.#failed.at < RETRY_MILLISECONDS) throw this.#failed.error;
    if (this.#opening === undefined || now - this.#opening.since >= OPEN_MILLISECONDS) {
      this.#opening = { since: now, outcome: this.#inBackground(this.#begin()) };
    }
    return await this.#within(OPEN_MILLISECONDS, this.#opening.outcome);
  }

  async #begin(): Promise<OpenInstallation> {
    try {
      this.#open = await openInstallation(this.#options, this.#deps);
      this.#lookedAt = Date.now();
      if (this.#failed !== undefined) this.#deps.log.info("ready again");
      this.#failed = undefined;
      return this.#open;
    } catch (error) {
      throw this.#fail(error);
    } finally {
      this.#opening = undefined;
    }
  }

  /** A database that cannot be asked says nothing of its tables; calls find out by themselves. */
  async #look(open: OpenInstallation): Promise<void> {
    this.#lookedAt = Date.now();
    try {
      await open.kernel.checkSchema();
    } catch (error) {
      if (!(error instanceof StartupError)) return;
      this.#fail(error);
      if (this.#open === open) this.#open = undefined;
    }
  }

  #fail(cause: unknown): RpcError {
    const { log } = this.#deps;
    const error = unavailable(cause).retryAfter(RETRY_MILLISECONDS / 1000);
    if (error.message !== this.#failed?.error.message) log.error("not ready", { error: errorText(cause) });
    this.#failed = { at: Date.now(), error };
    return error;
  }

  #inBackground<Result>(work: Promise<Result>): Promise<Result> {
    this.#deps.background.add(work);
    return work;
  }

  /** The work may be another request's, which the runtime may end. */
  async #within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
    const late = () => kernelErrors.unavailable("the installation does not open in time").retryAfter(1);
    return await shared(work, milliseconds, late);
  }
}

/** What callers may know of it: the operator's mistakes in the operator's words, and nothing of defects. */
function unavailable(cause: unknown): RpcError {
  if (cause instanceof StartupError) {
    const [first = "", ...others] = cause.problems;
    return kernelErrors.unavailable(others.length === 0 ? first : `${first}; and ${others.length} more like it`);
  }
  const isTold = cause instanceof RpcError && (cause.kind === "unavailable" || cause.kind === "deadline");
  return kernelErrors.unavailable(isTold ? cause.message : "the installation cannot be opened; its log says why");
}
