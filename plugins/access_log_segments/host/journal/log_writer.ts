import { type RowBuffer, rowBuffer } from "../../rows/batch.ts";
import { Generation, type Slot } from "../../unsealed/generation.ts";
import type { SegmentInfo } from "../../search/segment.ts";
import { DayTable } from "./day_table.ts";
import { type Damage, Directory } from "../files/directory.ts";
import { Journal, type NewRecord, RECORD } from "./journal.ts";
import { type SegmentOptions, UnavailableError } from "../workers/messages.ts";
import { encodeSlots } from "./records.ts";
import { countRows, isKnown, recover } from "./recovery.ts";
import { SegmentPool } from "../files/segment_pool.ts";
import { Mutex } from "../mutex.ts";

/** The number of bytes after which a group of batches is written. */
const GROUP_BYTES = 16 * 1024 * 1024;
/** The maximum number of generations waiting to be sealed; beyond it, appends wait. */
const MAX_FROZEN = 2;

interface WaitingBatch {
  readonly buffer: RowBuffer;
  readonly outcome: PromiseWithResolvers<void>;
}

/** Appends logs to the journal and, once they are durable, makes the unsealed rows visible to searches. */
export class LogWriter {
  readonly options: SegmentOptions;
  readonly directory: Directory;
  readonly pool: SegmentPool;
  readonly days: DayTable;
  /** Generations waiting to be sealed, the oldest first. */
  readonly frozen: Generation[] = [];
  readonly damages: readonly Damage[];
  active: Generation;
  /** The error of the last attempt to seal; undefined after a success. */
  sealError: string | undefined;
  readonly #journalMutex = new Mutex();
  readonly #onFrozen: () => void;
  readonly report: (info: SegmentInfo, error: unknown) => void;
  #journal: Journal;
  #nextNumber: number;
  #waiting: WaitingBatch[] = [];
  #isFlushing = false;

  /** @param onFrozen called when a generation is ready to be sealed */
  constructor(
    options: SegmentOptions,
    onFrozen: () => void,
    report: (info: SegmentInfo, error: unknown) => void,
  ) {
    this.options = options;
    this.#onFrozen = onFrozen;
    this.report = report;
    this.directory = new Directory(options.directory);
    this.pool = new SegmentPool(options.directory);
    this.days = new DayTable(this.pool, options.partitionRows);
    const { generations, length, nextNumber, damages } = recover(this.directory, this.pool, this.days);
    this.damages = damages;
    this.#nextNumber = nextNumber;
    const last = generations.pop();
    this.frozen.push(...generations);
    if (last === undefined) {
      this.active = new Generation(this.#nextNumber++);
      this.#journal = Journal.create(this.directory.journalPath(this.active.number));
    } else {
      this.active = last;
      this.#journal = Journal.reopen(this.directory.journalPath(last.number), length);
    }
  }

  /** Returns all generations, the oldest first. */
  get generations(): readonly Generation[] {
    return [...this.frozen, this.active];
  }

  /** Resolves when the batch is durable and visible to searches. */
  append(batch: Uint8Array): Promise<void> {
    const outcome = Promise.withResolvers<void>();
    this.#waiting.push({ buffer: rowBuffer(batch), outcome });
    if (!this.#isFlushing) void this.#flush();
    return outcome.promise;
  }

  /** Writes a record of another kind after the pending batches. */
  async record(kind: number, bytes: Uint8Array): Promise<void> {
    await this.#journalMutex.run(async () => {
      try {
        await this.#journal.append([{ kind, bytes }]);
      } catch (error) {
        throw storageError(error);
      }
    });
  }

  /** Starts a new journal, so that the current one is sealed. */
  async rotate(): Promise<void> {
    await this.#journalMutex.run(() => this.#freeze());
  }

  /** Resumes appends after a generation was sealed or an attempt failed. */
  wake(): void {
    if (!this.#isFlushing) void this.#flush();
  }

  close(): void {
    this.#journal.close();
    this.pool.close();
  }

  async #flush(): Promise<void> {
    this.#isFlushing = true;
    try {
      while (this.#waiting.length > 0) {
        if (this.sealError !== undefined) {
          for (const { outcome } of this.#waiting.splice(0)) outcome.reject(new UnavailableError(this.sealError));
          return;
        }
        if (this.#isFull) {
          // `wake` resumes when a generation is sealed
          if (this.frozen.length >= MAX_FROZEN) return;
          await this.#journalMutex.run(() => this.#freeze());
        }
        const group = this.#takeGroup();
        await this.#journalMutex.run(() => this.#write(group));
      }
    } catch (error) {
      for (const { outcome } of this.#waiting.splice(0)) outcome.reject(storageError(error));
    } finally {
      this.#isFlushing = false;
    }
  }

  get #isFull(): boolean {
    const { generationRows, generationBytes } = this.options;
    return this.active.rows >= generationRows || this.active.bytes >= generationBytes;
  }

  #takeGroup(): WaitingBatch[] {
    let bytes = 0;
    let count = 0;
    while (count < this.#waiting.length && bytes < GROUP_BYTES) bytes += this.#waiting[count++]!.buffer.bytes.length;
    return this.#waiting.splice(0, count);
  }

  async #write(group: readonly WaitingBatch[]): Promise<void> {
    const { active } = this;
    const before = { rows: active.rows, journalRows: active.journalRows.length, bytes: active.bytes };
    const filling = this.days.snapshot();
    try {
      const records = group.flatMap(({ buffer }) => this.#stage(buffer));
      if (records.length > 0) await this.#journal.append(records);
      active.visible = active.rows;
      for (const { outcome } of group) outcome.resolve();
    } catch (error) {
      active.undo(before.rows, before.journalRows, before.bytes);
      this.days.restore(filling);
      for (const { outcome } of group) outcome.reject(storageError(error));
    }
  }

  /** Adds the new rows of a batch to the generation; returns the record to write, if any row is new. */
  #stage(buffer: RowBuffer): NewRecord[] {
    const { active } = this;
    const [rows, journalRows, bytes] = [active.rows, active.journalRows.length, active.bytes];
    const slots = new Map<number, Slot>();
    const slotFor = (day: number) => {
      const slot = this.days.slotFor(day);
      slots.set(day, slot);
      return slot;
    };
    const added = active.add(
      buffer,
      0,
      slotFor,
      (key, day) => isKnown(this.frozen, key) || this.days.hasSealed(key, day, this.report),
    );
    if (added === 0) {
      active.undo(rows, journalRows, bytes);
      return [];
    }
    countRows(active, rows, this.days);
    return [{ kind: RECORD.batch, prefix: encodeSlots([...slots.values()]), bytes: buffer.bytes }];
  }

  #freeze(): void {
    if (this.active.rows === 0) return;
    const generation = new Generation(this.#nextNumber);
    const journal = Journal.create(this.directory.journalPath(generation.number));
    this.#nextNumber++;
    this.#journal.close();
    this.frozen.push(this.active);
    this.active = generation;
    this.#journal = journal;
    this.#onFrozen();
  }
}

function storageError(error: unknown): Error {
  const { code, message } = error as { code?: string; message: string };
  return code === "ENOSPC" || code === "EDQUOT" || code === "EIO"
    ? new UnavailableError(`cannot write access logs: ${message}`)
    : error as Error;
}
