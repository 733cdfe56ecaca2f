import { ErrorCode, Http2ConnectionError } from "./protocol.ts";

const MAX_POINTS = 1000;
const POINTS_A_SECOND = 200;
const POINTS_FOR_WORK = 4;

/**
 * Charges a connection for frames that cost the server more than the client: resets, pings, settings, empty frames,
 * window updates. Work that the server does for the client earns points, so that busy clients are never near the end.
 */
export class AbuseGuard {
  #points = MAX_POINTS;

  /** @throws Http2ConnectionError ENHANCE_YOUR_CALM when nothing is left */
  charge(points: number, what: string): void {
    this.#points -= points;
    if (this.#points < 0) throw new Http2ConnectionError(ErrorCode.ENHANCE_YOUR_CALM, `too many ${what}`);
  }

  /** A frame of an answer was sent. */
  earn(): void {
    if (this.#points < MAX_POINTS) this.#points += POINTS_FOR_WORK;
  }

  /** Called once a second. */
  refill(): void {
    this.#points = Math.min(MAX_POINTS, this.#points + POINTS_A_SECOND);
  }
}
