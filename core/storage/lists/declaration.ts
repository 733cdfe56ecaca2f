import type { TimeSpan } from "../../fields/calendar.ts";

/** The declaration of a list. See {@link declareList}. */
export interface ListDeclaration {
  /** The table with the rows. Its `id` is an INTEGER PRIMARY KEY AUTOINCREMENT, so that ids grow and are not reused. */
  readonly table: string;
  /** The column that is 1, or 0 after a soft deletion. Without one, rows are only ever deleted from the table. */
  readonly softDeletion?: string;
  /** Up to 3 INTEGER columns by which lists are filtered, such as the owner. In a filter 0 means any. */
  readonly scopes?: readonly string[];
  /** Columns with a JSON array of ids by which lists are filtered, such as groups, by their names in filters. */
  readonly links?: Readonly<Record<string, string>>;
  /** TEXT columns with a few different values by which lists are filtered, such as a status. */
  readonly choices?: readonly string[];
  /** A column of unix seconds by whose days in UTC lists are filtered. */
  readonly days?: string;
  /** TEXT columns in which keywords are searched. */
  readonly search?: readonly string[];
  /**
   * True if the plugin calls `added` after it inserted rows, so that one statement counts all of them. Otherwise a
   * trigger counts each new row.
   */
  readonly insertsInBulk?: boolean;
}

type ScopeOf<D> = D extends { readonly scopes: readonly (infer Name extends string)[] } ? Name : never;
type ChoiceOf<D> = D extends { readonly choices: readonly (infer Name extends string)[] } ? Name : never;
type LinkOf<D> = D extends { readonly links: infer Links } ? keyof Links & string : never;
type LinkedColumnOf<D> = D extends { readonly links: Readonly<Record<string, infer Name extends string>> } ? Name
  : never;
type DaysOf<D> = D extends { readonly days: infer Name extends string } ? Name : never;
type SearchOf<D> = D extends { readonly search: readonly (infer Name extends string)[] } ? Name : never;
type SoftDeletionOf<D> = D extends { readonly softDeletion: infer Name extends string } ? Name : never;

/** The columns by whose values rows are counted. */
export type CountedColumnOf<D> = ScopeOf<D> | ChoiceOf<D> | LinkedColumnOf<D> | DaysOf<D>;

/** The columns that a declaration names. */
export type ColumnOf<D> = CountedColumnOf<D> | SearchOf<D> | SoftDeletionOf<D>;

/**
 * The filter of a list: what its declaration names. Members that are absent, 0 or empty texts match any row. A list of ids
 * matches the rows with any of these, and an empty one no row.
 */
export type ListFilter<D> =
  & { readonly [Name in ScopeOf<D>]?: bigint | readonly bigint[] }
  & { readonly [Name in LinkOf<D>]?: bigint }
  & { readonly [Name in ChoiceOf<D>]?: string }
  & (D extends { readonly days: string } ? Partial<TimeSpan> : unknown)
  & (D extends { readonly search: readonly string[] } ? { readonly keyword?: string } : unknown);

/** A JSON array column and the name by which lists are filtered by its items. */
export interface Link {
  readonly name: string;
  readonly column: string;
}

/** A declaration in which nothing is optional, with the names of the derived tables. */
export interface ListShape {
  readonly table: string;
  readonly softDeletion: string | undefined;
  readonly scopes: readonly string[];
  readonly links: readonly Link[];
  readonly choices: readonly string[];
  readonly days: string | undefined;
  readonly search: readonly string[];
  readonly insertsInBulk: boolean;
  readonly derived: {
    readonly buckets: string;
    readonly links: string;
    readonly search: string;
    readonly searchState: string;
    readonly searchChanges: string;
  };
}

const NAME = /^[a-z][a-z0-9_]*$/i;
/** Each further scope doubles the buckets in which a row is counted. */
const MAX_SCOPES = 3;
/** Other members of filters, and the other columns of the table of buckets. */
const RESERVED = ["id", "keyword", "from", "to", "idbits", "bucket", "day", "n"];

/**
 * Completes a declaration.
 *
 * @throws Error that names the table and what is wrong in its declaration
 */
export function listShape(declaration: ListDeclaration): ListShape {
  const { table, softDeletion, scopes = [], links = {}, choices = [], days, search = [] } = declaration;
  const filters = [...scopes, ...Object.keys(links), ...choices];
  const columns = [table, softDeletion, ...Object.values(links), days, ...search].filter((name) => name !== undefined);
  checkNames(table, [...filters, ...columns]);
  for (const [index, name] of filters.entries()) {
    if (RESERVED.includes(name.toLowerCase())) {
      throw declarationError(table, `"${name}" cannot be a scope, link or choice`);
    }
    if (filters.indexOf(name) < index) throw declarationError(table, `"${name}" is declared twice`);
  }
  if (scopes.length > MAX_SCOPES) {
    throw declarationError(table, `it has ${scopes.length} scopes; at most ${MAX_SCOPES}`);
  }
  return {
    table,
    softDeletion,
    scopes,
    links: Object.entries(links).map(([name, column]) => ({ name, column })),
    choices,
    days,
    search,
    insertsInBulk: declaration.insertsInBulk ?? false,
    derived: {
      buckets: `${table}_buckets`,
      links: `${table}_links`,
      search: `${table}_search`,
      searchState: `${table}_searchState`,
      searchChanges: `${table}_searchChanges`,
    },
  };
}

/** @throws Error for a name that cannot be part of the names of derived tables */
export function checkNames(table: string, names: readonly string[]): void {
  for (const name of names) {
    if (NAME.test(name)) continue;
    throw declarationError(table, `"${name}" must be letters, digits and _, beginning with a letter`);
  }
}

function declarationError(table: string, text: string): Error {
  return new Error(`list or feed of "${table}": ${text}`);
}
