import type { Call } from "../base/call.ts";
import { kernelErrors, type RpcError } from "../base/errors.ts";
import type { Revocation } from "./revocation.ts";

/** A stream goes on so long while it cannot be found out whether its token holds: milliseconds. */
const PATIENCE = 10_000;
/** Between two tries while the database does not answer. */
const PAUSE = 1000;

export interface TokenWatchDeps {
  readonly revocation: Revocation;
  /** A call to read with until a time in unix milliseconds. */
  readonly reading: (deadline: number) => Call;
  /** Whether the credential of the token is still good. */
  readonly isLive: () => Promise<boolean>;
  /** Told once, when the token is not good any more or nobody can tell. */
  readonly ended: (reason: RpcError) => void;
}

/** Looks after the token of a call that goes on, such as a stream: calls check theirs only when they begin. */
export class TokenWatch {
  readonly #deps: TokenWatchDeps;
  readonly #forget: () => void;
  #epoch: bigint;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #looking = false;
  #isOver = false;
  #doubtfulSince: number | undefined;

  /** @param epoch at which the token was good */
  constructor(deps: TokenWatchDeps, epoch: bigint) {
    this.#deps = deps;
    this.#epoch = epoch;
    this.#forget = deps.revocation.onRise(() => void this.#look());
    this.#lookAfter(epoch === deps.revocation.epoch ? deps.revocation.freshFor : 0);
  }

  stop(): void {
    this.#isOver = true;
    this.#forget();
    clearTimeout(this.#timer);
  }

  #lookAfter(milliseconds: number): void {
    clearTimeout(this.#timer);
    if (!this.#isOver && milliseconds !== Infinity) this.#timer = setTimeout(() => void this.#look(), milliseconds);
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    const { revocation } = this.#deps;
    try {
      await revocation.makeCurrent(this.#deps.reading);
      while (!this.#isOver && this.#epoch !== revocation.epoch) await this.#recheck(revocation.epoch);
      this.#doubtfulSince = undefined;
      this.#lookAfter(revocation.freshFor);
    } catch (error) {
      this.#doubtfulSince ??= performance.now();
      if (performance.now() - this.#doubtfulSince > PATIENCE) this.#end(error as RpcError);
      else this.#lookAfter(PAUSE);
    } finally {
      this.#looking = false;
    }
  }

  async #recheck(epoch: bigint): Promise<void> {
    if (!await this.#deps.isLive()) return this.#end(kernelErrors.token_invalid());
    this.#epoch = epoch;
  }

  #end(reason: RpcError): void {
    if (this.#isOver) return;
    this.stop();
    this.#deps.ended(reason);
  }
}
