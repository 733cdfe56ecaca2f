import { type Db, type TrigramIndex, trigramIndex } from "edgehelm";
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
