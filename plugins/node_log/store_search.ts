import type { Db } from "edgehelm";
import { type TrigramIndex, trigramIndex } from "edgehelm/storage";
import type { Tables } from "./store.ts";

/** Returns the search index of tags and descriptions. */
export function nodeLogSearch(db: Db<Tables>): TrigramIndex {
  return trigramIndex(db, {
    rows: "nodeLogs",
    index: "nodeLogSearch",
    state: "nodeLogSearchState",
    columns: ["tag", "description"],
  });
}
