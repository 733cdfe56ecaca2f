import type { LogFilter, LogPage } from "../../log_store.ts";
import type { SegmentInfo } from "../../segments/segment.ts";
import type { Damage } from "./directory.ts";
import type { MergeTask, SealTask } from "./sealing.ts";

// Lists of bytes travel as their buffers: Deno looks at every property of a message, and so at every byte of a view.

/** How large things become. */
export interface SegmentOptions {
  readonly directory: string;
  /** Rows of a day before another partition begins. */
  readonly partitionRows: number;
  /** When a generation of the journal is sealed. */
  readonly generationRows: number;
  readonly generationBytes: number;
  /** Rows of a segment, at most. */
  readonly segmentRows: number;
  /** So many small segments of a partition become one. */
  readonly mergeCount: number;
  /** Milliseconds until sealing is tried again after it failed. */
  readonly retryTime: number;
}

/** A change of which segments there are. */
export interface SegmentChange {
  readonly added: readonly SegmentInfo[];
  /** Their rows are in segments that were added. */
  readonly replaced: readonly string[];
  /** Their rows are gone. */
  readonly dropped: readonly string[];
  /** Rows of these were removed. */
  readonly changed: readonly SegmentInfo[];
}

/** What a page may take. */
export interface SearchBounds {
  readonly deadline: number;
  readonly rows: number;
}

export interface ListRequest {
  readonly kind: "list";
  readonly filter: LogFilter;
  readonly page: LogPage;
  readonly bounds: SearchBounds;
}

export interface StoredCounts {
  readonly day: number;
  readonly rows: number;
  readonly bytes: number;
}

/** What the writer is asked; it owns the journal, and says which segments there are. */
export type WriterRequest =
  | { readonly kind: "open"; readonly options: SegmentOptions }
  | { readonly kind: "append"; readonly batch: ArrayBuffer }
  | ListRequest
  | { readonly kind: "find"; readonly requestId: string }
  | { readonly kind: "partitions"; readonly day: number }
  | { readonly kind: "days" }
  | { readonly kind: "dropDay"; readonly day: number }
  | { readonly kind: "removeOfUser"; readonly userId: bigint; readonly limit: number }
  | { readonly kind: "sealAll" }
  | { readonly kind: "sealed"; readonly task: number; readonly outcome: TaskOutcome }
  | { readonly kind: "close" };

/** What a reader is asked; it reads segments, and one of them also writes them. */
export type ReaderRequest =
  | { readonly kind: "open"; readonly directory: string }
  | { readonly kind: "change"; readonly change: SegmentChange }
  | ListRequest
  | { readonly kind: "find"; readonly requestId: string }
  | { readonly kind: "cancel"; readonly request: number }
  | { readonly kind: "seal"; readonly task: SealTask }
  | { readonly kind: "merge"; readonly task: MergeTask };

/** Found logs, whose bytes are moved as one batch. */
export interface FoundBatch {
  readonly batch: ArrayBuffer;
  readonly stoppedAt: string | undefined;
}

export type TaskOutcome = { readonly infos: readonly SegmentInfo[] } | { readonly fault: string };

/** What workers tell without being asked. */
export type WorkerEvent =
  | { readonly event: "change"; readonly change: SegmentChange }
  | { readonly event: "damage"; readonly damage: Damage }
  | { readonly event: "task"; readonly task: number; readonly request: ReaderRequest };

/** Every request has a number, by which its answer is known. */
export type Numbered<Request> = Request & { readonly id: number };

export type Answer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly fault: string; readonly isRefusal: boolean };

/** What a caller may be told: the store cannot take or answer something now. */
export class Refusal extends Error {
  override readonly name = "Refusal";
}
