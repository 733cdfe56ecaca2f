import type { ComponentChildren, JSX } from "preact";
import { callPath } from "../../shell/call.ts";
import { goTo, linkTo, route } from "../../shell/route.ts";
import { type Loaded, useLoaded } from "../loaded.ts";
import { type Column, LIST_SIZE, type ListPage, LoadedList } from "./loaded_list.tsx";

/** The operations of a list that is read page by page. */
export interface PagedList {
  readonly list: string;
  /** The field of the response with the rows. */
  readonly field: string;
  readonly count: string;
}

/** A page of a list, and where it begins. */
export interface Page<Row> extends ListPage<Row> {
  readonly offset: number;
}

/** Loads the page of a list that the address names. */
export function usePage<Row>(
  { list, field, count }: PagedList,
  filter: Readonly<Record<string, unknown>>,
): Loaded<Page<Row>> {
  const offset = Math.max(0, Math.trunc(Number(route.value.parameters.get("offset"))) || 0);
  return useLoaded(async (signal) => {
    const [listed, counted] = await Promise.all([
      callPath(list, { ...filter, offset: BigInt(offset), size: BigInt(LIST_SIZE) }, signal),
      callPath(count, filter, signal),
    ]);
    return { rows: listed[field] as readonly Row[], total: counted["count"] as bigint, offset };
  }, [list, offset, Object.values(filter).map(String).join("\n")]);
}

interface PagedTableProps<Row> {
  readonly page: Loaded<Page<Row>>;
  /** The text of an empty list. */
  readonly empty: string;
  readonly columns: readonly Column[];
  readonly children: (row: Row) => ComponentChildren;
}

/** A list whose page is part of the address. */
export function PagedTable<Row>({ page, ...props }: PagedTableProps<Row>): JSX.Element {
  const { steps, parameters } = route.value;
  const move = (to: number) => goTo(linkTo(steps, { ...Object.fromEntries(parameters), offset: String(to || "") }));
  return <LoadedList page={page} offset={page.value?.offset ?? 0} onMove={move} {...props} />;
}
