import type { Insertable, RawBuilder, Selectable, Updateable } from "kysely";

/** The values of some columns of a new row. */
export type NewValues<Table, Column extends keyof Table> = {
  readonly [Name in Column]: Exclude<Insertable<Table>[Name & keyof Insertable<Table>], undefined>;
};

/** The values of some columns in a change of a row. */
export type ChangedValues<Table, Column extends keyof Table> = {
  readonly [Name in Column]: Exclude<Updateable<Table>[Name & keyof Updateable<Table>], undefined>;
};

/** The values of columns that every run of a change sets. */
export type FixedValues<Table> = {
  readonly [Name in keyof Updateable<Table>]?: NonNullable<Updateable<Table>[Name]> | RawBuilder<unknown>;
};

/** The names of the tables that have an id. */
export type TableWithId<Tables> =
  & {
    [Name in keyof Tables]: Selectable<Tables[Name]> extends { readonly id: bigint } ? Name : never;
  }[keyof Tables]
  & string;
