import type { JSX } from "preact";
import type { Resource } from "../api/resources.ts";
import { call } from "../shell/call.ts";
import type { Row } from "../shell/area.ts";
import { goTo, linkTo, route } from "../shell/route.ts";
import { plural, withNoun } from "../shell/names.ts";
import { texts } from "../texts/mod.ts";
import { Failure } from "../parts/failure.tsx";
import { isForReader } from "../parts/fields.ts";
import { Pager } from "../parts/lists/pager.tsx";
import { useLoaded } from "../parts/loaded.ts";
import { requestOf } from "../parts/draft.ts";
import { Skeleton } from "../parts/skeleton.tsx";
import { FilterBar } from "./list/filter_bar.tsx";
import { filtersOf, isPaged, only, PAGE_SIZE, pageOf, sortsOf } from "./list/request.ts";
import { Rows } from "./list/rows.tsx";

/** The page with the list of the objects of a service. */
export function ListPage({ resource }: { resource: Resource }): JSX.Element {
  return (
    <>
      <div class="head">
        <h1>{plural(resource.noun)}</h1>
        <span class="sp" />
        {resource.create && (
          <a class="btn primary" href={linkTo(["resource", resource.noun, "new"])}>
            {withNoun(texts.value.add, resource.noun)}
          </a>
        )}
      </div>
      <ObjectList resource={resource} fixed={{}} />
    </>
  );
}

interface ObjectListProps {
  readonly resource: Resource;
  /** The part of the filter that the reader cannot change, such as the domain of records. */
  readonly fixed: Readonly<Record<string, string>>;
}

/** A list of objects: filter, table, pages. Filter, order and page are part of the address. */
export function ObjectList({ resource, fixed }: ObjectListProps): JSX.Element {
  const { steps, parameters } = route.value;
  const { list, noun } = resource;
  const offset = Number(parameters.get("offset") ?? 0);
  const filters = filtersOf(list).filter((field) => fixed[field.localName] === undefined && isForReader(field));
  const filter = Object.fromEntries(filters.flatMap(({ localName }) => {
    const value = parameters.get(localName);
    return value === null ? [] : [[localName, value]];
  }));
  const sorts = sortsOf(list);
  const sort = sorts.find(({ localName }) => localName === parameters.get("sort"))?.localName ?? "";
  const page = useLoaded(async (signal) => {
    const request = requestOf(list.method.input, { ...filter, ...fixed });
    const order = sort === "" ? {} : { [sort]: true };
    const [rows, total] = await Promise.all([
      call(list, { ...pageOf(list, offset), ...request, ...order }, signal),
      resource.count && call(resource.count, only(resource.count, request), signal),
    ]);
    return {
      rows: rows[resource.items.localName] as readonly Row[],
      total: total?.["count"] as bigint | undefined,
    };
  }, [noun, JSON.stringify(filter), sort, offset]);

  const show = (changes: Readonly<Record<string, string>>) =>
    goTo(linkTo(steps, { ...filter, sort, offset: "", ...changes }));
  const { value } = page;
  return (
    <div class="panel">
      {filters.length + sorts.length > 0 && (
        <FilterBar fields={filters} sorts={sorts} filter={filter} sort={sort} onApply={show} />
      )}
      {page.error !== undefined && <Failure error={page.error} onRetry={page.reload} />}
      {value === undefined
        ? page.error === undefined && <Skeleton rows={8} />
        : <Rows resource={resource} rows={value.rows} isFiltered={Object.keys(filter).length > 0} fixed={fixed} />}
      {value !== undefined && value.rows.length > 0 && isPaged(list) && (
        <Pager
          offset={offset}
          rows={value.rows.length}
          size={PAGE_SIZE}
          total={value.total}
          onMove={(to) => show({ offset: String(to) })}
        />
      )}
    </div>
  );
}
