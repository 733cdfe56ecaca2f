import type { ListShape } from "./declaration.ts";

/** The number of low bits of an id that a bucket spans. Coarse buckets are summed; fine ones locate pages. */
export const [COARSE, FINE] = [16n, 10n];

/** Returns the condition that a row is not soft-deleted: a literal, so that SQLite can use partial indexes. */
export function isLive({ softDeletion }: ListShape, row: string): string {
  return softDeletion === undefined ? "true" : `${row}."${softDeletion}" = 1`;
}

/** Returns the columns of the key of a bucket. */
export function bucketKey({ scopes, links, choices, days }: ListShape): string[] {
  const names = [...scopes, ...links.map(({ name }) => name), "idBits", "bucket", ...choices, ...days ? ["day"] : []];
  return names.map((name) => `"${name}"`);
}

/** The rows whose buckets {@link selectBuckets} returns: one row, or all rows of a source together. */
export interface CountedRows {
  /** The name of the row: `new` and `old` in a trigger, or an alias in `from`. */
  readonly row: string;
  readonly from?: string;
  readonly where?: string;
  /** The number that is added to each bucket; without it there is only the key. */
  readonly n?: string;
  readonly isGrouped?: boolean;
}

/**
 * Returns the select of all buckets in which rows are counted: for each scope, the row's own and 0, which means any, in
 * both sizes.
 */
function selectBuckets(list: ListShape, { row, from, where, n, isGrouped = false }: CountedRows): string {
  const { scopes, links, choices, days } = list;
  const masks = subsets(scopes).flatMap((subset) =>
    [FINE, COARSE].map((idBits) => `(${[...scopes.map((scope) => subset.includes(scope) ? 1 : 0), idBits].join()})`)
  );
  const maskColumns = scopes.map((_, index) => `column${index + 1} as m${index}`);
  const columns = [
    ...scopes.map((scope, index) => `mask.m${index} * ${row}."${scope}"`),
    ...links.map((_, index) => `l${index}.value`),
    "mask.idBits",
    `${row}.id >> mask.idBits`,
    ...choices.map((choice) => `${row}."${choice}"`),
    ...days === undefined ? [] : [`${row}."${days}" / 86400`],
  ];
  const sources = [
    ...from === undefined ? [] : [from],
    `(select ${[...maskColumns, `column${scopes.length + 1} as idBits`].join()} from (values ${masks.join()})) as mask`,
    ...links.map(({ column }, index) => {
      const ids = `${row}."${column}"`;
      return `json_each(iif(${ids} = '[]', '[0]', json_insert(${ids}, '$[#]', 0))) as l${index}`;
    }),
  ];
  const conditions = [
    isLive(list, row),
    ...where === undefined ? [] : [where],
    ...scopes.map((scope, index) => `(mask.m${index} = 0 or ${row}."${scope}" <> 0)`),
    // an id that is listed twice counts once
    ...links.map(({ column }, index) =>
      `(l${index}.key = 0 or not exists (select 1 from json_each(${row}."${column}") as earlier
        where earlier.value = l${index}.value and earlier.key < l${index}.key))`
    ),
  ];
  const groups = isGrouped ? `group by ${columns.map((_, index) => index + 1).join()}` : "";
  return `select ${[...columns, ...n === undefined ? [] : [n]].join()} from ${sources.join(" cross join ")}
    where ${conditions.join(" and ")} ${groups}`;
}

/** Returns the statement that adds to the counts of rows. */
export function addCounts(list: ListShape, rows: CountedRows & { readonly n: string }): string {
  const key = bucketKey(list).join();
  return `insert into "${list.derived.buckets}" (${key}, n) ${selectBuckets(list, rows)}
    on conflict (${key}) do update set n = n + excluded.n`;
}

/** The values of one row that is in no link, by which it is counted. */
export interface CountedRow {
  readonly id: string;
  /** The values of the scopes that are not 0. */
  readonly scopes: Readonly<Record<string, string>>;
  readonly choices: readonly string[];
  readonly day: string;
}

/** Returns the statement that adds 1 to each count of a row, whose values are SQL expressions. */
export function addCountsOf(list: ListShape, row: CountedRow): string {
  const key = bucketKey(list).join();
  const buckets = subsets(Object.keys(row.scopes)).flatMap((subset) =>
    [FINE, COARSE].map((idBits) => [
      ...list.scopes.map((scope) => subset.includes(scope) ? row.scopes[scope]! : "0"),
      ...list.links.map(() => "0"),
      idBits,
      `${row.id} >> ${idBits}`,
      ...row.choices,
      ...list.days === undefined ? [] : [`${row.day} / 86400`],
      1,
    ])
  );
  return `insert into "${list.derived.buckets}" (${key}, n) values ${
    buckets.map((bucket) => `(${bucket.join()})`).join()
  }
    on conflict (${key}) do update set n = n + 1`;
}

/** Returns the statements of a trigger that subtract a row from the counts; counts of 0 are deleted. */
export function subtractCounts(list: ListShape, row: string): string[] {
  return [
    addCounts(list, { row, n: "-1" }),
    `delete from "${list.derived.buckets}" where n = 0 and (${bucketKey(list).join()}) in (${
      selectBuckets(list, { row })
    })`,
  ];
}

/** Returns the statements that count all rows of the table. They group by one combination of scopes at a time. */
export function fillCounts(list: ListShape): string[] {
  const { table, scopes, links, choices, days, derived } = list;
  const key = bucketKey(list).join();
  const fine = subsets([...scopes, ...links.map(({ name }) => name)]).map((subset) => {
    const linked = links.map(({ name }, index) => ({ name, index })).filter(({ name }) => subset.includes(name));
    const columns = [
      ...scopes.map((scope) => subset.includes(scope) ? `t."${scope}"` : "0"),
      ...links.map(({ name }, index) => subset.includes(name) ? `k${index}.value` : "0"),
      FINE,
      `t.id >> ${FINE}`,
      ...choices.map((choice) => `t."${choice}"`),
      ...days === undefined ? [] : [`t."${days}" / 86400`],
    ];
    const joins = linked.map(({ index }) =>
      `join "${derived.links}" as k${index} on k${index}.link = ${index} and k${index}.id = t.id`
    );
    const owned = scopes.filter((scope) => subset.includes(scope)).map((scope) => `and t."${scope}" <> 0`);
    return `insert into "${derived.buckets}" (${key}, n) select ${columns.join()}, count(*) from "${table}" as t
      ${joins.join(" ")} where ${isLive(list, "t")} ${owned.join(" ")}
      group by ${columns.map((_, index) => index + 1).join()}`;
  });
  const coarse = bucketKey(list).map((column) => {
    if (column === '"idBits"') return String(COARSE);
    return column === '"bucket"' ? `bucket >> ${COARSE - FINE}` : column;
  });
  return [
    ...fine,
    `insert into "${derived.buckets}" (${key}, n) select ${coarse.join()}, sum(n) from "${derived.buckets}"
      where idBits = ${FINE} group by ${coarse.map((_, index) => index + 1).join()}`,
  ];
}

/** Returns every selection of some, none or all items. */
export function subsets<Item>(items: readonly Item[]): Item[][] {
  return items.reduce<Item[][]>((all, item) => [...all, ...all.map((some) => [...some, item])], [[]]);
}
