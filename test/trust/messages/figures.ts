/** The counts of a run. */
export class Figures {
  readonly messages = { bursts: 0, webHooks: 0, mails: 0 };
  /** The kills by the work of the server: nothing was under way if all was sent. */
  readonly killedAt = { untaken: 0, taken: 0, responded: 0, mail: 0, idle: 0 };
  /** The web hooks that arrived more than once, and the mails whose outcome is unknown, by whether they arrived. */
  readonly interrupted = { repeatedHooks: 0, unknownArrived: 0, unknownLost: 0, sentByPerson: 0 };

  get kills(): number {
    return Object.values(this.killedAt).reduce((sum, count) => sum + count);
  }

  get all(): Readonly<Record<string, number>> {
    return { kills: this.kills, ...this.messages, ...this.killedAt, ...this.interrupted };
  }
}
