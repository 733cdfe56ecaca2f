import type { LogFilter, LogPage } from "../../../http_access_log/contract.ts";
import type { SearchLimits } from "../../search/search_budget.ts";
import type { SegmentInfo } from "../../search/segment.ts";
import type { Damage } from "../files/directory.ts";
import type { MergeTask, SealTask } from "../maintenance/sealing.ts";

// Bytes are sent as buffers, not views: Deno enumerates the properties of a message, which are all bytes of a view.

/** The sizes and limits of a store. */
export interface SegmentOptions {
  readonly directory: string;
  /** The number of rows in a partition before the next one begins. */
  readonly partitionRows: number;
  /** The size at which a generation of the journal is sealed. */
  readonly generationRows: number;
  readonly generationBytes: number;
  /** The maximum number of rows in a segment. */
  readonly segmentRows: number;
  /** The number of small segments in a partition that triggers a merge. */
  readonly mergeCount: number;
  /** The number of milliseconds before a failed attempt to seal is retried. */
  readonly retryTime: number;
}

/** A change to the set of segments. */
export interface SegmentChange {
  readonly added: readonly SegmentInfo[];
  /** Segments whose rows are now in added segments. */
  readonly replaced: readonly string[];
  /** Segments that were deleted with their rows. */
  readonly dropped: readonly string[];
  /** Segments of which rows were removed. */
  readonly changed: readonly SegmentInfo[];
}

export interface ListRequest {
  readonly kind: "list";
  readonly filter: LogFilter;
  readonly page: LogPage;
  readonly limits: Pick<SearchLimits, "deadline" | "rows">;
}

export interface StoredCounts {
  readonly day: number;
  readonly rows: number;
  readonly bytes: number;
}

/** A request to the writer, which owns the journal and the set of segments. */
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
  /** The response to the event of a task or a change. */
  | { readonly kind: "done"; readonly task: number; readonly outcome: TaskOutcome }
  | { readonly kind: "close" };

/** A request to a reader; one of the readers, the sealer, also writes segments. */
export type ReaderRequest =
  | { readonly kind: "open"; readonly directory: string }
  | { readonly kind: "change"; readonly change: SegmentChange }
  | ListRequest
  | { readonly kind: "find"; readonly requestId: string }
  | { readonly kind: "cancel"; readonly request: number }
  | { readonly kind: "seal"; readonly task: SealTask }
  | { readonly kind: "merge"; readonly task: MergeTask };

/** Found logs as one batch whose buffer is transferred. */
export interface FoundBatch {
  readonly batch: ArrayBuffer;
  readonly stoppedAt: string | undefined;
}

export type TaskOutcome = { readonly infos: readonly SegmentInfo[] } | { readonly error: string };

/** A message from a worker that is not a response. */
export type WorkerEvent =
  | { readonly event: "change"; readonly task: number; readonly change: SegmentChange }
  | { readonly event: "damage"; readonly damage: Damage }
  | { readonly event: "task"; readonly task: number; readonly request: ReaderRequest };

/** A request with the id that its response refers to. */
export type Numbered<Request> = Request & { readonly id: number };

export type WorkerResponse =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string; readonly isUnavailable: boolean };

/** The store cannot process a request now; callers see the message and may retry. */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";
}
