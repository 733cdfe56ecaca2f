import type { OpenLogStore, StoreDeps } from "../../log_host.ts";
import { SegmentStore } from "./segment_store.ts";

/** Opens the segments in a directory, which this process then holds. */
export function openSegments(directory: string, { clock, log, partitionRows }: StoreDeps): OpenLogStore {
  const store = new SegmentStore({ directory, partitionRows: Number(partitionRows) }, { clock, log });
  return { store, close: () => store.close() };
}
