import type { Call } from "../base/call.ts";
import { type ErrorKind, RpcError } from "../base/errors.ts";
import type { Revocation } from "./revocation.ts";

/** The milliseconds for which a stream continues while its token cannot be checked. */
const MAX_UNCHECKED = 10_000;
/** The milliseconds between attempts while the database is unavailable. */
const RETRY_INTERVAL = 1000;
/** The kinds of error after which a call may not continue. Others say that it could not be checked. */
const FINAL: readonly ErrorKind[] = ["unauthenticated", "forbidden"];

export interface TokenWatchDeps {
  readonly revocation: Revocation;
  /** Creates a read-only call with a deadline in unix milliseconds. */
  readonly systemCall: (deadline: number) => Call;
  /** Throws an RpcError of kind unauthenticated or forbidden if the call may not continue. */
  readonly recheck: () => Promise<void>;
  /** Called once, when the call may not continue or could not be checked for too long. */
  readonly onEnded: (reason: RpcError) => void;
}

/** Watches the token of a long call, such as a stream. Other calls check their token only when they begin. */
export class TokenWatch {
  readonly #deps: TokenWatchDeps;
  readonly #removeListener: () => void;
  #epoch: bigint;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isChecking = false;
  #isStopped = false;
  #uncheckedSince: number | undefined;

  /** @param epoch the revocation epoch at which the token was last verified */
  constructor(deps: TokenWatchDeps, epoch: bigint) {
    this.#deps = deps;
    this.#epoch = epoch;
    this.#removeListener = deps.revocation.onIncrease(() => void this.#check());
    this.#checkAfter(epoch === deps.revocation.epoch ? deps.revocation.millisecondsUntilStale : 0);
  }

  stop(): void {
    this.#isStopped = true;
    this.#removeListener();
    clearTimeout(this.#timer);
  }

  #checkAfter(milliseconds: number): void {
    clearTimeout(this.#timer);
    if (!this.#isStopped && milliseconds !== Infinity) this.#timer = setTimeout(() => void this.#check(), milliseconds);
  }

  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const { revocation } = this.#deps;
    try {
      await revocation.ensureFresh(this.#deps.systemCall);
      while (!this.#isStopped && this.#epoch !== revocation.epoch) await this.#recheck(revocation.epoch);
      this.#uncheckedSince = undefined;
      this.#checkAfter(revocation.millisecondsUntilStale);
    } catch (error) {
      this.#uncheckedSince ??= performance.now();
      if (performance.now() - this.#uncheckedSince > MAX_UNCHECKED) this.#end(error as RpcError);
      else this.#checkAfter(RETRY_INTERVAL);
    } finally {
      this.#isChecking = false;
    }
  }

  async #recheck(epoch: bigint): Promise<void> {
    try {
      await this.#deps.recheck();
      this.#epoch = epoch;
    } catch (error) {
      if (!(error instanceof RpcError) || !FINAL.includes(error.kind)) throw error;
      this.#end(error);
    }
  }

  #end(reason: RpcError): void {
    if (this.#isStopped) return;
    this.stop();
    this.#deps.onEnded(reason);
  }
}
