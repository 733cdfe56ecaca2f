import { type DescField, ScalarType } from "@bufbuild/protobuf";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Operation } from "../api/model.ts";
import type { Resource } from "../api/resources.ts";
import { call } from "../shell/call.ts";
import type { Row } from "../shell/area.ts";
import { goTo, linkTo, route } from "../shell/route.ts";
import { nounOf, plural, words } from "../shell/names.ts";
import { count, texts } from "../texts/mod.ts";
import { Failure } from "../parts/failure.tsx";
import { columnsOf, isForReader } from "../parts/fields.ts";
import { useLoaded } from "../parts/loaded.ts";
import { requestOf } from "../parts/draft.ts";
import { Skeleton } from "../parts/skeleton.tsx";
import { Value } from "../parts/value.tsx";

const SIZE = 20;

/** The page with the list of the objects of a service. */
export function ListPage({ resource }: { resource: Resource }): JSX.Element {
  return (
    <>
      <div class="head">
        <h1>{plural(resource.noun)}</h1>
        <span class="sp" />
        {resource.create && (
          <a class="btn primary" href={linkTo(["resource", resource.noun, "new"])}>
            {`${texts.value.add} ${nounOf(resource.noun)}`}
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

/** A list of objects: filter, table, pages. Filter and page are part of the address. */
export function ObjectList({ resource, fixed }: ObjectListProps): JSX.Element {
  const { steps, parameters } = route.value;
  const offset = Number(parameters.get("offset") ?? 0);
  const filters = filtersOf(resource.list).filter(({ localName }) => fixed[localName] === undefined);
  const filter = Object.fromEntries(filters.flatMap(({ localName }) => {
    const value = parameters.get(localName);
    return value === null ? [] : [[localName, value]];
  }));
  const page = useLoaded(async (signal) => {
    const request = requestOf(resource.list.method.input, { ...filter, ...fixed });
    const [rows, total] = await Promise.all([
      call(resource.list, { ...pageOf(resource.list, offset), ...request }, signal),
      resource.count && call(resource.count, only(resource.count, request), signal),
    ]);
    return {
      rows: rows[resource.items.localName] as readonly Row[],
      total: total?.["count"] as bigint | undefined,
    };
  }, [resource.noun, JSON.stringify(filter), offset]);

  const show = (changes: Readonly<Record<string, string>>) =>
    goTo(linkTo(steps, { ...filter, offset: "", ...changes }));
  const { value } = page;
  return (
    <div class="panel">
      {filters.length > 0 && <FilterBar fields={filters} filter={filter} onApply={show} />}
      {page.error !== undefined && <Failure error={page.error} onRetry={page.reload} />}
      {value === undefined
        ? page.error === undefined && <Skeleton rows={8} />
        : <Rows resource={resource} rows={value.rows} isFiltered={Object.keys(filter).length > 0} />}
      {value !== undefined && value.rows.length > 0 && (
        <Pager
          offset={offset}
          rows={value.rows.length}
          total={value.total}
          onMove={(to) => show({ offset: String(to) })}
        />
      )}
    </div>
  );
}

function Rows(
  { resource, rows, isFiltered }: { resource: Resource; rows: readonly Row[]; isFiltered: boolean },
): JSX.Element {
  if (rows.length === 0) {
    return (
      <div class="empty">
        <p>{isFiltered ? texts.value.emptyFiltered : texts.value.empty}</p>
        {!isFiltered && resource.create &&
          (
            <a class="btn primary" href={linkTo(["resource", resource.noun, "new"])}>
              {`${texts.value.add} ${nounOf(resource.noun)}`}
            </a>
          )}
      </div>
    );
  }
  const columns = columnsOf(resource.message, rows);
  return (
    <div class="scroll">
      <table class="list">
        <thead>
          <tr>
            {columns.map((field) => (
              <th key={field.name} class={isNumeric(field) ? "num" : undefined}>{words(field.name)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={String(row["id"] ?? index)}>
              {columns.map((field, column) => (
                <td key={field.name} class={isNumeric(field) ? "num" : undefined}>
                  {column === linkColumn(columns) && row["id"] !== undefined
                    ? (
                      <a class="link main" href={linkTo(["resource", resource.noun, row["id"] as bigint])}>
                        <Value field={field} value={row[field.localName]} isShort />
                      </a>
                    )
                    : <Value field={field} value={row[field.localName]} isShort />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The column that leads to the object: its name, or else its id. */
function linkColumn(columns: readonly DescField[]): number {
  return Math.max(0, columns.findIndex(({ name, scalar }) => scalar === ScalarType.STRING && name !== "id"));
}

interface FilterProps {
  readonly fields: readonly DescField[];
  readonly filter: Readonly<Record<string, string>>;
  readonly onApply: (filter: Readonly<Record<string, string>>) => void;
}

function FilterBar({ fields, filter, onApply }: FilterProps): JSX.Element {
  const [typed, setTyped] = useState(filter);
  const [first, ...others] = fields;
  const set = ({ localName }: DescField, value: string) => setTyped({ ...typed, [localName]: value });
  return (
    <form
      class="bar"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onApply(typed);
      }}
    >
      {first && (
        <input
          type="search"
          class="find"
          placeholder={words(first.name)}
          aria-label={words(first.name)}
          value={typed[first.localName] ?? ""}
          onInput={(event) => set(first, event.currentTarget.value)}
        />
      )}
      {others.length > 0 && (
        <details>
          <summary class="chip">{texts.value.filter}</summary>
          <div class="popover">
            {others.map((field) => (
              <label key={field.name}>
                {words(field.name)}
                <input
                  value={typed[field.localName] ?? ""}
                  onInput={(event) => set(field, event.currentTarget.value)}
                />
              </label>
            ))}
          </div>
        </details>
      )}
      <button type="submit" class="btn">{texts.value.apply}</button>
    </form>
  );
}

interface PagerProps {
  readonly offset: number;
  readonly rows: number;
  readonly total: bigint | undefined;
  readonly onMove: (offset: number) => void;
}

function Pager({ offset, rows, total, onMove }: PagerProps): JSX.Element {
  const isLast = total === undefined ? rows < SIZE : offset + rows >= Number(total);
  return (
    <div class="pager">
      <span class="dim">
        {count(offset + 1)}–{count(offset + rows)}
        {total !== undefined && ` ${texts.value.of} ${count(total)}`}
      </span>
      <span class="sp" />
      <button type="button" class="btn" disabled={offset === 0} onClick={() => onMove(Math.max(0, offset - SIZE))}>
        {texts.value.previous}
      </button>
      <button type="button" class="btn" disabled={isLast} onClick={() => onMove(offset + SIZE)}>
        {texts.value.next}
      </button>
    </div>
  );
}

const PAGE_FIELDS = ["offset", "size"];

/** The fields of a list's request that choose rows: a keyword first. */
function filtersOf({ method: { input } }: Operation): DescField[] {
  return input.fields
    .filter((field) =>
      field.fieldKind === "scalar" && field.scalar !== ScalarType.BYTES && !PAGE_FIELDS.includes(field.localName)
    )
    .filter((field) => !/(Asc|Desc)$/.test(field.localName) && isForReader(field))
    .sort((one, other) => Number(other.localName === "keyword") - Number(one.localName === "keyword"));
}

function pageOf({ method: { input } }: Operation, offset: number): Record<string, unknown> {
  const has = (name: string) => input.fields.some(({ localName }) => localName === name);
  return {
    ...(has("day") && { day: today() }),
    ...(has("offset") && { offset: BigInt(offset) }),
    ...(has("size") && { size: BigInt(SIZE) }),
  };
}

/** Logs are listed by day: without a choice, those of today. */
function today(): string {
  return new Date().toISOString().slice(0, 10).replaceAll("-", "");
}

/** The part of a request that another operation knows too. */
function only({ method: { input } }: Operation, request: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(request).filter(([name]) => input.fields.some(({ localName }) => localName === name)),
  );
}

function isNumeric({ name, scalar, fieldKind }: DescField): boolean {
  if (fieldKind !== "scalar" || /(At|Time)$/.test(name)) return false;
  return scalar !== ScalarType.STRING && scalar !== ScalarType.BOOL && scalar !== ScalarType.BYTES;
}
