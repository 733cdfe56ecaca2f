import type { StepCode } from "../../../plugins/node_installation/steps.ts";

/** The counts of a run. */
export class Figures {
  readonly installs = { kills: 0, asked: 0 };
  /** The ends of installations that a kill interrupted: by themselves, or in the error "timeout" and then when asked for again. */
  readonly ends = { endedBefore: 0, resumed: 0, timedOut: 0, installedAgain: 0 };
  /** The steps under way at the kills. */
  readonly killedAt: Record<StepCode | "waiting" | "ended", number> = {
    waiting: 0,
    connect: 0,
    directory: 0,
    upload: 0,
    unpack: 0,
    configure: 0,
    test: 0,
    start: 0,
    ended: 0,
  };
  /** The commands on the machine that went on after a kill. */
  readonly machine = { commandsThatWentOn: 0, checks: 0 };

  get all(): Readonly<Record<string, number>> {
    return { ...this.installs, ...this.ends, ...this.killedAt, ...this.machine };
  }
}
