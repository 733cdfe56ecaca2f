import type { JSX } from "preact";
import { count, texts } from "../../texts/mod.ts";

interface PagerProps {
  readonly offset: number;
  /** The number of rows on this page. */
  readonly rows: number;
  /** The number of rows of a whole page. */
  readonly size: number;
  readonly total: bigint | undefined;
  readonly onMove: (offset: number) => void;
}

/** The place in a list, and the ways to the pages before and after. */
export function Pager({ offset, rows, size, total, onMove }: PagerProps): JSX.Element {
  const isLast = total === undefined ? rows < size : offset + Math.max(rows, size) >= Number(total);
  return (
    <div class="pager">
      <span class="dim" role="status">
        {count(offset + 1)}–{count(offset + rows)}
        {total !== undefined && ` ${texts.value.of} ${count(total)}`}
      </span>
      <span class="sp" />
      <button type="button" class="btn" disabled={offset === 0} onClick={() => onMove(Math.max(0, offset - size))}>
        {texts.value.previous}
      </button>
      <button type="button" class="btn" disabled={isLast} onClick={() => onMove(offset + size)}>
        {texts.value.next}
      </button>
    </div>
  );
}
