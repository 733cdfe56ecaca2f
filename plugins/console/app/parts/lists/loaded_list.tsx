import type { ComponentChildren, JSX } from "preact";
import { Failure } from "../failure.tsx";
import type { Loaded } from "../loaded.ts";
import { Skeleton } from "../skeleton.tsx";
import { Pager } from "./pager.tsx";

/** The rows of one page of a list, and how many there are on all pages. */
export interface ListPage<Row> {
  readonly rows: readonly Row[];
  readonly total: bigint;
}

/** The rows of a whole page. */
export const LIST_SIZE = 20;

interface LoadedListProps<Row> {
  readonly page: Loaded<ListPage<Row>>;
  readonly offset: number;
  readonly onMove: (offset: number) => void;
  /** Shown in place of a table without rows. */
  readonly empty: ComponentChildren;
  readonly columns: readonly Column[];
  readonly children: (row: Row) => ComponentChildren;
}

/** A column of a list; one that has only buttons has a hidden name. */
export interface Column {
  readonly name: string;
  readonly isNumber?: boolean;
  readonly isHidden?: boolean;
}

/** A list that is read page by page: what it shows while it is loaded, without rows, and after an error. */
export function LoadedList<Row>(
  { page, offset, onMove, empty, columns, children }: LoadedListProps<Row>,
): JSX.Element {
  if (page.error !== undefined) return <Failure error={page.error} onRetry={page.reload} />;
  if (page.value === undefined) return <Skeleton rows={6} />;
  const { rows, total } = page.value;
  return (
    <>
      {rows.length === 0 ? <div class="empty">{empty}</div> : (
        <div class="scroll">
          <table class="list">
            <thead>
              <tr>
                {columns.map(({ name, isNumber, isHidden }) => (
                  <th key={name} class={isNumber ? "num" : undefined}>
                    {isHidden ? <span class="hidden">{name}</span> : name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>{rows.map(children)}</tbody>
          </table>
        </div>
      )}
      {(rows.length > 0 || offset > 0) && (
        <Pager offset={offset} rows={rows.length} size={LIST_SIZE} total={total} onMove={onMove} />
      )}
    </>
  );
}
