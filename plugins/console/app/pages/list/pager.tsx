import type { JSX } from "preact";
import { count, texts } from "../../texts/mod.ts";
import { PAGE_SIZE } from "./request.ts";

interface PagerProps {
  readonly offset: number;
  readonly rows: number;
  readonly total: bigint | undefined;
  readonly onMove: (offset: number) => void;
}

/** The place in a list, and the ways to the pages before and after. */
export function Pager({ offset, rows, total, onMove }: PagerProps): JSX.Element {
  const isLast = total === undefined ? rows < PAGE_SIZE : offset + rows >= Number(total);
  return (
    <div class="pager">
      <span class="dim">
        {count(offset + 1)}–{count(offset + rows)}
        {total !== undefined && ` ${texts.value.of} ${count(total)}`}
      </span>
      <span class="sp" />
      <button type="button" class="btn" disabled={offset === 0} onClick={() => onMove(Math.max(0, offset - PAGE_SIZE))}>
        {texts.value.previous}
      </button>
      <button type="button" class="btn" disabled={isLast} onClick={() => onMove(offset + PAGE_SIZE)}>
        {texts.value.next}
      </button>
    </div>
  );
}
