import type { SegmentInfo } from "../../segments/segment.ts";
import type { Generation } from "../../segments/generation.ts";
import { RECORD } from "./journal.ts";
import type { LogWriter } from "./log_writer.ts";
import { type ReaderRequest, Refusal, type SegmentChange, type StoredCounts, type TaskOutcome } from "./messages.ts";
import { encodeDay } from "./records.ts";
import { removeDay } from "./recovery.ts";
import { Removals } from "./removals.ts";
import { Mutex } from "./mutex.ts";

const NOTHING: SegmentChange = { added: [], replaced: [], dropped: [], changed: [] };
/** A segment is small when it has fewer rows than this part of the most. */
const SMALL_PART = 4;
/** Unsealed rows of a dropped day, in bytes, for which the journal is left behind at once. */
const WORTH_ROTATING = 64 * 1024;

export interface MaintenanceDeps {
  readonly writer: LogWriter;
  /** Has another thread do something to segments. */
  readonly run: (request: ReaderRequest) => Promise<TaskOutcome>;
  readonly tellChange: (change: SegmentChange) => void;
}

/** Seals, merges and removes, one after another, while logs are taken in. */
export class Maintenance {
  readonly #writer: LogWriter;
  readonly #run: MaintenanceDeps["run"];
  readonly #tellChange: MaintenanceDeps["tellChange"];
  readonly #removals: Removals;
  readonly #mutex = new Mutex();

  constructor({ writer, run, tellChange }: MaintenanceDeps) {
    this.#writer = writer;
    this.#run = run;
    this.#tellChange = tellChange;
    this.#removals = new Removals(writer);
  }

  /** Seals what waits for it; tries again later when that fails. */
  seal(): void {
    void this.#mutex.run(async () => {
      if (await this.#sealOldest()) {
        if (this.#writer.frozen.length > 0) this.seal();
      } else setTimeout(() => this.seal(), this.#writer.options.retryTime).unref();
      this.#writer.wake();
    });
  }

  /** Seals everything. */
  async sealAll(): Promise<void> {
    await this.#writer.rotate();
    await this.#mutex.run(async () => {
      while (this.#writer.frozen.length > 0) {
        if (!await this.#sealOldest()) throw new Refusal(this.#writer.sealFault!);
      }
    });
    // behind the merges that this led to
    await this.#mutex.run(() => {});
  }

  dropDay(day: number): Promise<boolean> {
    return this.#mutex.run(async () => {
      const { writer } = this;
      const infos = writer.pool.ofDay(day);
      const unsealed = this.#unsealed(day);
      if (infos.length === 0 && unsealed.rows === 0) {
        writer.days.removeDay(day);
        return true;
      }
      await writer.record(RECORD.dropDay, encodeDay(day));
      for (const generation of writer.generations) removeDay(generation, day);
      for (const { name } of infos) writer.pool.remove(name, true);
      writer.days.removeDay(day);
      this.#tellChange({ ...NOTHING, dropped: infos.map(({ name }) => name) });
      writer.directory.removeDay(day);
      if (unsealed.bytes > WORTH_ROTATING) await writer.rotate();
      return true;
    });
  }

  removeOfUser(userId: bigint, limit: number): Promise<number> {
    return this.#mutex.run(async () => {
      const { count, changed } = await this.#removals.removeOfUser(userId, limit);
      if (changed.length > 0) this.#tellChange({ ...NOTHING, changed });
      return count;
    });
  }

  /** Live rows and bytes of each day. */
  days(): StoredCounts[] {
    const { writer } = this;
    const counts = new Map<number, { day: number; rows: number; bytes: number }>();
    const add = (day: number, rows: number, bytes: number) => {
      const count = counts.get(day) ?? { day, rows: 0, bytes: 0 };
      counts.set(day, { day, rows: count.rows + rows, bytes: count.bytes + bytes });
    };
    for (const { day, rows, removed, bytes } of writer.pool.infos()) add(day, rows - removed, bytes);
    for (const generation of writer.generations) {
      for (const { slot, rows, bytes } of generation.countSlots()) add(slot.day, rows, bytes);
    }
    return [...counts.values()].sort((one, other) => one.day - other.day);
  }

  /** False when it fails. */
  async #sealOldest(): Promise<boolean> {
    const [generation] = this.#writer.frozen;
    if (generation === undefined) return true;
    const outcome = await this.#run({ kind: "seal", task: this.#sealTask(generation) });
    if ("fault" in outcome) {
      this.#writer.sealFault = `access logs cannot be sealed: ${outcome.fault}`;
      return false;
    }
    this.#writer.sealFault = undefined;
    this.#add(outcome.infos);
    this.#tellChange({ ...NOTHING, added: outcome.infos });
    this.#writer.frozen.shift();
    this.#writer.directory.removeJournal(generation.number);
    for (const info of outcome.infos) this.#mergeSmall(info);
    return true;
  }

  get writer(): LogWriter {
    return this.#writer;
  }

  #unsealed(wanted: number): { rows: number; bytes: number } {
    const all = this.#writer.generations.flatMap((generation) => generation.countSlots());
    return all.filter(({ slot }) => slot.day === wanted).reduce(
      (sum, { rows, bytes }) => ({ rows: sum.rows + rows, bytes: sum.bytes + bytes }),
      { rows: 0, bytes: 0 },
    );
  }

  #sealTask(generation: Generation) {
    const { directory, segmentRows } = this.#writer.options;
    const slotOf = Uint16Array.from(generation.journalRows, (place) => {
      const row = place - 1;
      return row < 0 || generation.isRemoved[row] === 1 ? 0 : generation.slotOf[row]! + 1;
    });
    return { directory, generation: generation.number, slots: generation.slots, slotOf: slotOf.buffer, segmentRows };
  }

  #add(infos: readonly SegmentInfo[]): void {
    for (const info of infos) {
      this.#writer.pool.set(info);
      this.#writer.days.addSegment(info);
    }
  }

  /** Makes one of the small segments beside a new one when they have become many. */
  #mergeSmall({ day, partition }: SegmentInfo): void {
    void this.#mutex.run(async () => {
      const { directory, segmentRows, generationBytes, mergeCount } = this.#writer.options;
      const small = this.#writer.pool.ofDay(day).filter((info) =>
        info.partition === partition && info.rows * SMALL_PART < segmentRows &&
        info.bytes * SMALL_PART < generationBytes
      );
      if (small.length < mergeCount) return;
      // so many that the new one is not too large
      const infos = small.sort((one, other) => one.rows - other.rows).slice(0, Math.max(mergeCount, SMALL_PART * 2));
      const outcome = await this.#run({ kind: "merge", task: { directory, infos } });
      if ("fault" in outcome) return;
      const replaced = infos.map(({ name }) => name);
      for (const info of infos) {
        this.#writer.pool.remove(info.name, true);
        this.#writer.days.removeSegment(info);
      }
      this.#add(outcome.infos);
      this.#tellChange({ ...NOTHING, added: outcome.infos, replaced });
      for (const name of replaced) this.#writer.directory.removeSegment(name);
    });
  }
}
