import type { OpenLogStore, StoreDeps } from "../../log_host.ts";
import { SegmentStore } from "./segment_store.ts";

/** Opens the segment store in a directory and locks it for this process. */
export function openSegments(directory: string, { clock, log, partitionRows }: StoreDeps): OpenLogStore {
  const store = new SegmentStore({ directory, partitionRows: Number(partitionRows) }, { clock, log });
  return { store, close: () => store.close() };
}
