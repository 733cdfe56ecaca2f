import type { SegmentInfo } from "../../search/segment.ts";
import type { Generation } from "../../unsealed/generation.ts";
import { RECORD } from "../journal/journal.ts";
import type { LogWriter } from "../journal/log_writer.ts";
import {
  type ReaderRequest,
  type SegmentChange,
  type StoredCounts,
  type TaskOutcome,
  UnavailableError,
} from "../workers/messages.ts";
import { encodeDay } from "../journal/records.ts";
import { removeDay } from "../journal/recovery.ts";
import { Removals } from "./removals.ts";
import { Mutex } from "../mutex.ts";

const NO_CHANGE: SegmentChange = { added: [], replaced: [], dropped: [], changed: [] };
/** A segment is small if its rows and bytes are below the maximum divided by this number. */
const SMALL_DIVISOR = 4;
/** The size of the unsealed rows of a dropped day at which the journal is rotated to free the space soon. */
const ROTATE_BYTES = 64 * 1024;

export interface MaintenanceDeps {
  readonly writer: LogWriter;
  /** Runs a request in the sealer thread. */
  readonly run: (request: ReaderRequest) => Promise<TaskOutcome>;
  /** Tells the readers about a change; resolves when all of them know it. */
  readonly announce: (change: SegmentChange) => Promise<void>;
}

/** Seals, merges and removes, one task at a time, while logs are appended. */
export class Maintenance {
  readonly #writer: LogWriter;
  readonly #run: MaintenanceDeps["run"];
  readonly #announce: MaintenanceDeps["announce"];
  readonly #removals: Removals;
  readonly #mutex = new Mutex();

  constructor({ writer, run, announce }: MaintenanceDeps) {
    this.#writer = writer;
    this.#run = run;
    this.#announce = announce;
    this.#removals = new Removals(writer);
  }

  /** Seals the waiting generations; retries later after an error. */
  seal(): void {
    void this.#mutex.run(async () => {
      if (await this.#sealOldest()) {
        if (this.#writer.frozen.length > 0) this.seal();
      } else setTimeout(() => this.seal(), this.#writer.options.retryTime).unref();
      this.#writer.wake();
    });
  }

  /** Seals all rows, including those of the current journal. */
  async sealAll(): Promise<void> {
    await this.#writer.rotate();
    await this.#mutex.run(async () => {
      while (this.#writer.frozen.length > 0) {
        if (!await this.#sealOldest()) throw new UnavailableError(this.#writer.sealError!);
      }
    });
    // wait for the merges that this caused
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
      await this.#announce({ ...NO_CHANGE, dropped: infos.map(({ name }) => name) });
      writer.directory.removeDay(day);
      if (unsealed.bytes > ROTATE_BYTES) await writer.rotate();
      return true;
    });
  }

  removeOfUser(userId: bigint, limit: number): Promise<number> {
    return this.#mutex.run(async () => {
      const { count, changed } = await this.#removals.removeOfUser(userId, limit);
      if (changed.length > 0) await this.#announce({ ...NO_CHANGE, changed });
      return count;
    });
  }

  /** Returns the rows and bytes of each day, without removed rows. */
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

  /** Returns false after an error. */
  async #sealOldest(): Promise<boolean> {
    const [generation] = this.#writer.frozen;
    if (generation === undefined) return true;
    const outcome = await this.#run({ kind: "seal", task: this.#sealTask(generation) });
    if ("error" in outcome) {
      this.#writer.sealError = `cannot seal access logs: ${outcome.error}`;
      return false;
    }
    this.#writer.sealError = undefined;
    this.#add(outcome.infos);
    void this.#announce({ ...NO_CHANGE, added: outcome.infos });
    this.#writer.frozen.shift();
    this.#writer.directory.removeJournal(generation.number);
    for (const info of outcome.infos) this.#mergeSmall(info);
    return true;
  }

  get writer(): LogWriter {
    return this.#writer;
  }

  #unsealed(day: number): { rows: number; bytes: number } {
    const all = this.#writer.generations.flatMap((generation) => generation.countSlots());
    return all.filter(({ slot }) => slot.day === day).reduce(
      (sum, { rows, bytes }) => ({ rows: sum.rows + rows, bytes: sum.bytes + bytes }),
      { rows: 0, bytes: 0 },
    );
  }

  #sealTask(generation: Generation) {
    const { directory, segmentRows } = this.#writer.options;
    const slotOf = Uint16Array.from(generation.journalRows, (rowPlusOne) => {
      const row = rowPlusOne - 1;
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

  /** Merges the small segments in the partition of a new one if there are enough of them. */
  #mergeSmall({ day, partition }: SegmentInfo): void {
    void this.#mutex.run(async () => {
      const { directory, segmentRows, generationBytes, mergeCount } = this.#writer.options;
      const small = this.#writer.pool.ofDay(day).filter((info) =>
        info.partition === partition && info.rows * SMALL_DIVISOR < segmentRows &&
        info.bytes * SMALL_DIVISOR < generationBytes
      );
      if (small.length < mergeCount) return;
      // limited, so that the result stays near the maximum size
      const infos = small.sort((one, other) => one.rows - other.rows).slice(0, Math.max(mergeCount, SMALL_DIVISOR * 2));
      const outcome = await this.#run({ kind: "merge", task: { directory, infos } });
      if ("error" in outcome) return;
      const replaced = infos.map(({ name }) => name);
      for (const info of infos) {
        this.#writer.pool.remove(info.name, true);
        this.#writer.days.removeSegment(info);
      }
      this.#add(outcome.infos);
      // a reader that does not know of the merge yet would take a missing file for a damaged one, and skip its rows
      await this.#announce({ ...NO_CHANGE, added: outcome.infos, replaced });
      for (const name of replaced) this.#writer.directory.removeSegment(name);
    });
  }
}
