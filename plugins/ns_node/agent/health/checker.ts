import { wait } from "../backoff.ts";
import type { Metrics } from "../metrics.ts";
import type { ZoneFile } from "../store/zone_file.ts";
import { accepts, effectiveCheck } from "./check.ts";
import type { HealthReports } from "./reports.ts";

const MAX_CONNECTIONS = 256;
const ADDRESS_TYPES: ReadonlySet<string> = new Set(["A", "AAAA"]);

/** A record that is checked. */
interface CheckedRecord {
  readonly id: string;
  readonly isUp: boolean;
  readonly countUp: number;
  readonly countDown: number;
}

/** An address that is checked once for all records that have it. */
interface Target {
  readonly address: string;
  readonly port: number;
  readonly timeoutSeconds: number;
  readonly records: CheckedRecord[];
}

/** The result of the last checks of a record: how many in a row had it, and whether the record is up by them. */
interface Finding {
  last: boolean;
  count: number;
  isUp: boolean | undefined;
}

/** Checks the addresses of records in rounds, and reports those that went down or came up. */
export class HealthChecker {
  readonly #zones: ReadonlyMap<string, ZoneFile>;
  readonly #reports: HealthReports;
  readonly #metrics: Metrics;
  readonly #findings = new Map<string, Finding>();

  constructor(zones: ReadonlyMap<string, ZoneFile>, reports: HealthReports, metrics: Metrics) {
    this.#zones = zones;
    this.#reports = reports;
    this.#metrics = metrics;
  }

  /** Checks until the signal aborts, with pauses between the rounds. */
  async run(pauseMilliseconds: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#round(signal);
      await wait(pauseMilliseconds * (0.75 + Math.random() / 2), signal);
    }
  }

  async #round(signal: AbortSignal): Promise<void> {
    const targets = targetsOf(this.#zones.values());
    this.#forgetOthers(targets);
    let next = 0;
    const checkSome = async () => {
      while (next < targets.length && !signal.aborted) {
        const target = targets[next++]!;
        const isUp = await accepts(target.address, target.port, target.timeoutSeconds);
        this.#metrics.add("health_checks");
        for (const record of target.records) this.#take(record, isUp);
      }
    };
    await Promise.all(Array.from({ length: Math.min(MAX_CONNECTIONS, targets.length) }, checkSome));
    const down = [...this.#findings.values()].filter(({ isUp }) => isUp === false);
    this.#metrics.set("health_down", down.length);
  }

  #take({ id, isUp: wasUp, countUp, countDown }: CheckedRecord, isUp: boolean): void {
    const before = this.#findings.get(id);
    const count = before?.last === isUp ? before.count + 1 : 1;
    const isClear = count >= (isUp ? countUp : countDown);
    const finding: Finding = { last: isUp, count, isUp: isClear ? isUp : before?.isUp };
    this.#findings.set(id, finding);
    if (finding.isUp === before?.isUp) return;
    // a report from before this agent was started may still count
    if (finding.isUp === false || before?.isUp === false || !wasUp) this.#reports.set(id, finding.isUp!);
  }

  #forgetOthers(targets: readonly Target[]): void {
    const checked = new Set(targets.flatMap(({ records }) => records.map(({ id }) => id)));
    for (const id of this.#findings.keys()) {
      if (checked.has(id)) continue;
      this.#findings.delete(id);
      this.#reports.forget(id);
    }
  }
}

/** Returns the addresses to check, each with its records. */
function targetsOf(zones: Iterable<ZoneFile>): Target[] {
  const targets = new Map<string, Target>();
  for (const { head, rows } of zones) {
    if (!head.isOn) continue;
    for (const { id, type, data: address, isUp, check: own } of rows.values()) {
      const check = ADDRESS_TYPES.has(type) ? effectiveCheck(own, head.check) : undefined;
      if (check === undefined) continue;
      const { port, timeoutSeconds, countUp, countDown } = check;
      const key = `${address} ${port} ${timeoutSeconds}`;
      let target = targets.get(key);
      if (target === undefined) targets.set(key, target = { address, port, timeoutSeconds, records: [] });
      target.records.push({ id, isUp, countUp, countDown });
    }
  }
  return [...targets.values()];
}
