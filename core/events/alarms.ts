import type { Call } from "../base/call.ts";
import { type Clock, unixSeconds } from "../base/clock.ts";
import type { Db } from "../storage/database.ts";
import type { KernelTables } from "../storage/kernel_tables.ts";
import type { Alarm, AlarmFinding, AlarmSource } from "./alarm.ts";
import { decodeEventData, encodeEventData } from "./event_data.ts";
import type { EventLog } from "./event_log.ts";

/** The interval at which a machine says that the state of an alarm lasts. */
const SEEN_SECONDS = 3600n;
/** The time after which an alarm of a machine that is gone ends. */
const GONE_SECONDS = 2n * 86_400n;

type AlarmRow = KernelTables["kernel_alarms"];

/**
 * Emits an event when an alarm begins and when it ends. What has begun is in the database, so that neither a restart
 * nor another instance repeats it. A subject that several machines find begins with the first and ends with the last.
 */
export class Alarms {
  readonly #events: EventLog;
  readonly #clock: Clock;
  readonly #find;
  readonly #insert;
  readonly #see;
  readonly #delete;

  constructor(db: Db<KernelTables>, events: EventLog, clock: Clock) {
    this.#events = events;
    this.#clock = clock;
    this.#find = db.query((q, p: { name: string }) =>
      q.selectFrom("kernel_alarms").selectAll().where("name", "=", p.name).orderBy("subject").orderBy("machine")
    );
    this.#insert = db.query((q, p: AlarmRow) =>
      q.insertInto("kernel_alarms").values({
        name: p.name,
        subject: p.subject,
        machine: p.machine,
        beganAt: p.beganAt,
        seenAt: p.seenAt,
        dataJSON: p.dataJSON,
      })
    );
    this.#see = db.query((q, p: Pick<AlarmRow, "name" | "subject" | "machine" | "seenAt">) =>
      q.updateTable("kernel_alarms").set({ seenAt: p.seenAt })
        .where("name", "=", p.name).where("subject", "=", p.subject).where("machine", "=", p.machine)
    );
    this.#delete = db.query((q, p: Pick<AlarmRow, "name" | "subject" | "machine">) =>
      q.deleteFrom("kernel_alarms")
        .where("name", "=", p.name).where("subject", "=", p.subject).where("machine", "=", p.machine)
    );
  }

  /**
   * Looks for the state of an alarm, and emits what has changed.
   *
   * @param machine the machine that looks; empty for alarms of the whole installation
   */
  async settle(call: Call, { alarm, find }: AlarmSource, machine: string): Promise<void> {
    const { name } = alarm;
    const before = await this.#find.all(call, { name });
    const begun = new Set(before.filter((row) => row.machine === machine).map(({ subject }) => subject));
    const found = await find(call, begun);
    if (found === undefined || !this.#isNews(before, found, machine)) return;
    await call.transact(async (inner) => {
      const rows = await this.#find.all(inner, { name });
      for (const finding of found) await this.#found(inner, alarm, rows, finding, machine);
      await this.#end(inner, alarm, rows, found, machine);
    });
  }

  #isNews(rows: readonly AlarmRow[], found: readonly AlarmFinding[], machine: string): boolean {
    const seen = new Set(rows.filter((row) => row.machine === machine && !this.#isDue(row)).map((row) => row.subject));
    return found.some(({ subject }) => !seen.has(subject)) || this.#gone(rows, found, machine).length > 0;
  }

  async #found(
    call: Call,
    alarm: Alarm,
    rows: readonly AlarmRow[],
    { subject, data }: AlarmFinding,
    machine: string,
  ): Promise<void> {
    const { name } = alarm;
    const seenAt = unixSeconds(this.#clock);
    const same = rows.filter((row) => row.subject === subject);
    const own = same.find((row) => row.machine === machine);
    if (own !== undefined) {
      if (this.#isDue(own)) await this.#see.run(call, { name, subject, machine, seenAt });
      return;
    }
    const [other] = same;
    const beganAt = other?.beganAt ?? seenAt;
    const complete = { ...data, beganAt };
    const dataJSON = other?.dataJSON ?? encodeEventData(alarm.began, complete);
    await this.#insert.run(call, { name, subject, machine, beganAt, seenAt, dataJSON });
    if (other === undefined) await this.#events.emit(call, alarm.began, complete);
  }

  async #end(
    call: Call,
    alarm: Alarm,
    rows: readonly AlarmRow[],
    found: readonly AlarmFinding[],
    machine: string,
  ): Promise<void> {
    const gone = new Set(this.#gone(rows, found, machine));
    const lasting = new Set([
      ...found.map(({ subject }) => subject),
      ...rows.filter((row) => !gone.has(row)).map(({ subject }) => subject),
    ]);
    for (const row of gone) {
      await this.#delete.run(call, row);
      if (lasting.has(row.subject)) continue;
      lasting.add(row.subject);
      await this.#events.emit(call, alarm.ended, decodeEventData(alarm.ended, row.dataJSON));
    }
  }

  /** Returns the rows whose state is no longer present, or whose machine has been gone for long. */
  #gone(rows: readonly AlarmRow[], found: readonly AlarmFinding[], machine: string): AlarmRow[] {
    const present = new Set(found.map(({ subject }) => subject));
    const goneBefore = unixSeconds(this.#clock) - GONE_SECONDS;
    return rows.filter((row) =>
      row.machine === machine ? !present.has(row.subject) : row.machine !== "" && row.seenAt < goneBefore
    );
  }

  /** True if the row of a machine must be seen again. Those of the installation do not become stale. */
  #isDue({ machine, seenAt }: AlarmRow): boolean {
    return machine !== "" && unixSeconds(this.#clock) - seenAt >= SEEN_SECONDS;
  }
}
