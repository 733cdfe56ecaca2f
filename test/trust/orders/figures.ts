/** The counts of a run. */
export class Figures {
  readonly ends = { tasks: 0, issued: 0, failed: 0, certificates: 0 };
  /** The orders under way at the kills, by their step. */
  readonly killedAt = { before: 0, new: 0, proving: 0, checking: 0, issuing: 0, after: 0 };
  /** The orders that the provider got. */
  readonly provider = { placed: 0 };

  get all(): Readonly<Record<string, number>> {
    return { ...this.ends, ...this.killedAt, ...this.provider };
  }
}
