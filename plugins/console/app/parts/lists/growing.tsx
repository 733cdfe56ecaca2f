import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { Failure } from "../failure.tsx";
import { type Loaded, useLoaded } from "../loaded.ts";
import { Skeleton } from "../skeleton.tsx";
import { texts } from "../../texts/mod.ts";
import { listOf } from "./list_of.ts";

const STEP = 50;
const MAX = 1000;

/** A list that grows when the reader asks for more. */
export interface Growing<Row> extends Loaded<readonly Row[]> {
  readonly more: (() => void) | undefined;
}

export function useGrowing<Row>(path: string, field: string, request: Readonly<Record<string, unknown>>): Growing<Row> {
  const [size, setSize] = useState(STEP);
  const loaded = useLoaded(
    (signal) => listOf<Row>(path, field, { ...request, offset: 0n, size: BigInt(size) }, signal),
    [path, size],
  );
  const mayGrow = loaded.value?.length === size && size < MAX;
  return { ...loaded, more: mayGrow ? () => setSize(Math.min(MAX, size + STEP)) : undefined };
}

interface GrowingTableProps<Row> {
  readonly list: Growing<Row>;
  /** The text of an empty list. */
  readonly empty: string;
  readonly columns: readonly { readonly name: string; readonly isNumber?: boolean }[];
  readonly children: (row: Row) => ComponentChildren;
}

/** The table of a list that grows. */
export function GrowingTable<Row>({ list, empty, columns, children }: GrowingTableProps<Row>): JSX.Element {
  if (list.error !== undefined) return <Failure error={list.error} onRetry={list.reload} />;
  if (list.value === undefined) return <Skeleton rows={5} />;
  if (list.value.length === 0) return <p class="empty">{empty}</p>;
  return (
    <>
      <table class="list">
        <thead>
          <tr>
            {columns.map(({ name, isNumber }) => <th key={name} class={isNumber ? "num" : undefined}>{name}</th>)}
          </tr>
        </thead>
        <tbody>{list.value.map(children)}</tbody>
      </table>
      {list.more && (
        <p class="pager">
          <button type="button" class="btn" onClick={list.more}>{texts.value.showMore}</button>
        </p>
      )}
    </>
  );
}
