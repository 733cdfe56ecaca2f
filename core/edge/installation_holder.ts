import { kernelErrors, RpcError } from "../base/errors.ts";
import { awaitShared } from "../base/gate.ts";
import { errorText } from "../base/log.ts";
import { StartupError } from "../base/startup_error.ts";
import { type IsolateDeps, type OpenInstallation, openInstallation } from "./installation.ts";
import type { OpenOptions } from "./options.ts";

/** The minimum delay between two attempts to open the installation. */
const RETRY_MILLISECONDS = 1000;
/** The time after which an attempt is given up, since the runtime may have cancelled the request that began it. */
const OPEN_TIMEOUT_MILLISECONDS = 20_000;
/** The minimum interval between two checks, in the background of a request, that schema and release match. */
const CHECK_INTERVAL_MILLISECONDS = 5000;
/** The age of the last check from which a request waits for the next one. */
const MAX_CHECK_AGE_MILLISECONDS = 60_000;

/**
 * Holds the installation of an isolate. The first request opens it. After an error it is reopened, and while the schema
 * of the database belongs to another release it is closed.
 */
export class InstallationHolder {
  readonly #options: OpenOptions;
  readonly #deps: IsolateDeps;
  #open: OpenInstallation | undefined;
  #opening: { readonly since: number; readonly outcome: Promise<OpenInstallation> } | undefined;
  #lastError: { readonly at: number; readonly error: RpcError } | undefined;
  #checkedAt = 0;
  #checking: Promise<void> | undefined;

  constructor(options: OpenOptions, deps: IsolateDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  /**
   * Returns the installation, opening it if needed.
   *
   * @throws RpcError of kind `unavailable`, whose message names the cause
   */
  async get(): Promise<OpenInstallation> {
    const age = Date.now() - this.#checkedAt;
    if (this.#open !== undefined && age >= CHECK_INTERVAL_MILLISECONDS) {
      this.#checking ??= this.#inBackground(this.#check(this.#open).finally(() => this.#checking = undefined));
      if (age >= MAX_CHECK_AGE_MILLISECONDS) await this.#within(CHECK_INTERVAL_MILLISECONDS, this.#checking);
    }
    return this.#open ?? await this.#whenOpen();
  }

  async #whenOpen(): Promise<OpenInstallation> {
    const now = Date.now();
    if (this.#lastError !== undefined && now - this.#lastError.at < RETRY_MILLISECONDS) throw this.#lastError.error;
    if (this.#opening === undefined || now - this.#opening.since >= OPEN_TIMEOUT_MILLISECONDS) {
      this.#opening = { since: now, outcome: this.#inBackground(this.#openInstallation()) };
    }
    return await this.#within(OPEN_TIMEOUT_MILLISECONDS, this.#opening.outcome);
  }

  async #openInstallation(): Promise<OpenInstallation> {
    try {
      this.#open = await openInstallation(this.#options, this.#deps);
      this.#checkedAt = Date.now();
      if (this.#lastError !== undefined) this.#deps.log.info("ready again");
      this.#lastError = undefined;
      return this.#open;
    } catch (error) {
      throw this.#fail(error);
    } finally {
      this.#opening = undefined;
    }
  }

  /** Closes the installation if its schema no longer matches. If the database is unreachable, it stays open. */
  async #check(open: OpenInstallation): Promise<void> {
    this.#checkedAt = Date.now();
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
    if (error.message !== this.#lastError?.error.message) log.error("not ready", { error: errorText(cause) });
    this.#lastError = { at: Date.now(), error };
    return error;
  }

  #inBackground<Result>(work: Promise<Result>): Promise<Result> {
    this.#deps.background.add(work);
    return work;
  }

  /** Awaits work that another request may have begun, and that the runtime may have cancelled with it. */
  async #within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
    const timeoutError = () => kernelErrors.unavailable("opening the installation timed out").retryAfter(1);
    return await awaitShared(work, milliseconds, timeoutError);
  }
}

/** Returns the error for callers: it names configuration errors, but no internal ones. */
function unavailable(cause: unknown): RpcError {
  if (cause instanceof StartupError) {
    const [first = "", ...others] = cause.errors;
    return kernelErrors.unavailable(others.length === 0 ? first : `${first} (and ${others.length} more)`);
  }
  const isPublic = cause instanceof RpcError && (cause.kind === "unavailable" || cause.kind === "deadline");
  return kernelErrors.unavailable(isPublic ? cause.message : "the installation cannot be opened; see its log");
}
