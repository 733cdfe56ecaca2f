import { ConnectionFault, ErrorCode } from "./protocol.ts";

const MOST_POINTS = 1000;
const POINTS_A_SECOND = 200;
const POINTS_FOR_WORK = 4;

/**
 * Charges a connection for frames that cost the server more than the client: resets, pings, settings, empty frames,
 * window updates. Work that the server does for the client earns points, so that busy clients are never near the end.
 */
export class AbuseGuard {
  #points = MOST_POINTS;

  /** @throws ConnectionFault ENHANCE_YOUR_CALM when nothing is left */
  charge(points: number, what: string): void {
    this.#points -= points;
    if (this.#points < 0) throw new ConnectionFault(ErrorCode.ENHANCE_YOUR_CALM, `too many ${what}`);
  }

  /** A frame of an answer was sent. */
  earn(): void {
    if (this.#points < MOST_POINTS) this.#points += POINTS_FOR_WORK;
  }

  /** Called once a second. */
  refill(): void {
    this.#points = Math.min(MOST_POINTS, this.#points + POINTS_A_SECOND);
  }
}
