import type { Call } from "../../base/call.ts";
import type { Timers } from "../../base/clock.ts";
import { errorText, type Logger } from "../../base/log.ts";
import type { Alarm, AlarmSource } from "../../events/alarm.ts";
import type { Alarms } from "../../events/alarms.ts";
import type { OwnedJob } from "../../jobs/jobs.ts";

const WATCH_SECONDS = 60;

export interface AlarmWatchDeps {
  readonly alarms: Alarms;
  /** All alarms. One without a source ends if it has begun. */
  readonly declared: readonly Alarm[];
  readonly sources: readonly AlarmSource[];
  /** A name of this machine that restarts do not change; empty on workers. */
  readonly machine: string;
  readonly timers: Timers;
  readonly log: Logger;
  readonly systemCall: (name: string, deadline?: number) => Call;
}

/** Looks for alarms once a minute: one instance for those of the installation, and each one for those of its machine. */
export class AlarmWatch {
  readonly #deps: AlarmWatchDeps;
  readonly #sources: readonly AlarmSource[];
  #cancelTimer: (() => void) | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(deps: AlarmWatchDeps) {
    this.#deps = deps;
    this.#sources = deps.declared.map((alarm) =>
      deps.sources.find((source) => source.alarm === alarm) ?? { alarm, find: () => Promise.resolve([]) }
    );
  }

  /** The job that looks for the alarms of the installation. */
  get job(): OwnedJob {
    return {
      owner: "kernel",
      name: "watch_alarms",
      everySeconds: WATCH_SECONDS,
      run: (call) => this.#settle(call, (alarm) => !alarm.isOfMachine, ""),
    };
  }

  /** Begins to look for the alarms of this machine. */
  start(): void {
    if (this.#deps.machine !== "") this.#look();
  }

  #look(): void {
    if (this.#isStopped) return;
    this.#looking = this.#lookOnce().finally(() => {
      this.#cancelTimer = this.#deps.timers.after(WATCH_SECONDS * 1000, () => this.#look());
    });
  }

  async #lookOnce(): Promise<void> {
    const { systemCall, machine, log } = this.#deps;
    try {
      await this.#settle(systemCall("alarms"), (alarm) => alarm.isOfMachine, machine);
    } catch (error) {
      log.warn("alarms of the machine not looked for", { error: errorText(error) });
    }
  }

  /** Waits for what is under way, within a time limit, and looks for nothing else. */
  async stop(limitMilliseconds: number): Promise<void> {
    this.#isStopped = true;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const cancel = this.#deps.timers.after(limitMilliseconds, resolve);
    await Promise.race([this.#looking, late]);
    cancel();
    this.#cancelTimer?.();
  }

  /** @throws the first error, after all sources had their turn */
  async #settle(call: Call, isOwn: (alarm: Alarm) => boolean, machine: string): Promise<void> {
    const errors: unknown[] = [];
    for (const source of this.#sources.filter(({ alarm }) => isOwn(alarm))) {
      try {
        if (!call.signal.aborted) await this.#deps.alarms.settle(call, source, machine);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
