import type { JSX } from "preact";
import { texts } from "../texts/mod.ts";

/** What a page shows while it is loaded, as high as what comes, so that nothing jumps. */
export function Skeleton({ rows }: { rows: number }): JSX.Element {
  return (
    <div class="skeleton" role="status" aria-label={texts.value.loading}>
      {Array.from({ length: rows }, (_, row) => <div key={row} />)}
    </div>
  );
}
