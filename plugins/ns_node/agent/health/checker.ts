import { wait } from "../backoff.ts";
import type { Metrics } from "../metrics.ts";
import type { ZoneFile } from "../store/zone_file.ts";
import { accepts, effectiveCheck } from "./check.ts";
import type { HealthReports } from "./reports.ts";

const MAX_CONNECTIONS = 256;
/** A zone has no more at once, so that addresses that do not respond hold up the checks of their own zone alone. */
const MAX_CONNECTIONS_OF_ZONE = 8;
const ADDRESS_TYPES: ReadonlySet<string> = new Set(["A", "AAAA"]);

/** A record that is checked. */
interface CheckedRecord {
  readonly id: string;
  readonly isUp: boolean;
  readonly countUp: number;
  readonly countDown: number;
}

/** An address that is checked once for all records of a zone that have it. */
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

/** Checks the addresses of records, those of each zone in rounds, and reports those that went down or came up. */
export class HealthChecker {
  readonly #zones: ReadonlyMap<string, ZoneFile>;
  readonly #reports: Pick<HealthReports, "set" | "forget">;
  readonly #metrics: Metrics;
  readonly #accepts: typeof accepts;
  readonly #findings = new Map<string, Finding>();
  /** The zones whose round is not over. */
  readonly #busy = new Set<string>();
  readonly #waiting: (() => void)[] = [];
  #connections = 0;

  constructor(
    zones: ReadonlyMap<string, ZoneFile>,
    reports: Pick<HealthReports, "set" | "forget">,
    metrics: Metrics,
    connects: typeof accepts = accepts,
  ) {
    this.#zones = zones;
    this.#reports = reports;
    this.#metrics = metrics;
    this.#accepts = connects;
  }

  /** Begins rounds until the signal aborts, with pauses. A zone whose round is not over is left out. */
  async run(pauseMilliseconds: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const targets = [...this.#zones.values()].map((zone) => ({ id: zone.id, targets: targetsOf(zone) }));
      this.#forgetOthers(targets.flatMap((zone) => zone.targets));
      for (const zone of targets) if (!this.#busy.has(zone.id)) void this.#round(zone.id, zone.targets, signal);
      const down = [...this.#findings.values()].filter(({ isUp }) => isUp === false);
      this.#metrics.set("health_down", down.length);
      await wait(pauseMilliseconds * (0.75 + Math.random() / 2), signal);
    }
  }

  async #round(zoneId: string, targets: readonly Target[], signal: AbortSignal): Promise<void> {
    if (targets.length === 0) return;
    this.#busy.add(zoneId);
    let next = 0;
    const checkSome = async () => {
      while (next < targets.length && !signal.aborted) {
        const target = targets[next++]!;
        const isUp = await this.#check(target);
        for (const record of target.records) this.#take(record, isUp);
      }
    };
    await Promise.all(Array.from({ length: Math.min(MAX_CONNECTIONS_OF_ZONE, targets.length) }, checkSome));
    this.#busy.delete(zoneId);
  }

  /** Checks an address when one of the connections is free; zones that wait for them take turns. */
  async #check({ address, port, timeoutSeconds }: Target): Promise<boolean> {
    if (this.#connections >= MAX_CONNECTIONS) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#connections++;
    try {
      this.#metrics.add("health_checks");
      return await this.#accepts(address, port, timeoutSeconds);
    } finally {
      const waiting = this.#waiting.shift();
      if (waiting === undefined) this.#connections--;
      else waiting();
    }
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

/** Returns the addresses of a zone to check, each with its records. */
function targetsOf({ head, rows }: ZoneFile): Target[] {
  if (!head.isOn) return [];
  const targets = new Map<string, Target>();
  for (const { id, type, data: address, isUp, check: own } of rows.values()) {
    const check = ADDRESS_TYPES.has(type) ? effectiveCheck(own, head.check) : undefined;
    if (check === undefined) continue;
    const { port, timeoutSeconds, countUp, countDown } = check;
    const key = `${address} ${port} ${timeoutSeconds}`;
    let target = targets.get(key);
    if (target === undefined) targets.set(key, target = { address, port, timeoutSeconds, records: [] });
    target.records.push({ id, isUp, countUp, countDown });
  }
  return [...targets.values()];
}
