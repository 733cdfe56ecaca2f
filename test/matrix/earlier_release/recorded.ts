import type { JsonValue } from "@bufbuild/protobuf";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** A read operation with the response of the release that recorded it. */
export interface RecordedRead {
  readonly path: string;
  readonly body: JsonValue;
  /** True if an admin called it, otherwise the user Ada. */
  readonly isAdmin: boolean;
  readonly response: unknown;
}

/** All reads, and the time at which they were made, in unix milliseconds. */
export interface RecordedReads {
  readonly now: number;
  readonly reads: readonly RecordedRead[];
}

export function recordedReads(): RecordedReads {
  return JSON.parse(gunzipSync(readFileSync(new URL("reads.json.gz", import.meta.url))).toString());
}

/** Returns the database to which the reads were made. */
export function recordedDatabase(): Uint8Array {
  return gunzipSync(readFileSync(new URL("installation.db.gz", import.meta.url)));
}
