import { anyOf, type Db, type Page, rowCount } from "edgehelm";
import { memoizeByShape } from "edgehelm/storage";
import { type Generated, type Kysely, type Selectable, sql } from "kysely";

export interface Tables {
  userInvoices: {
    id: Generated<bigint>;
    userId: bigint;
    number: string;
    kind: "invoice" | "creditNote";
    /** The invoice that a credit note corrects, or 0. */
    correctsId: bigint;
    year: bigint;
    day: string;
    seller: string;
    name: string;
    address: string;
    country: string;
    taxNumber: string;
    /** A JSON array of `[description, amount]`, in hundredths as texts. */
    lines: string;
    netAmount: bigint;
    taxAmount: bigint;
    totalAmount: bigint;
    taxRate: bigint;
    taxLabel: string;
    currency: string;
    note: string;
    createdAt: bigint;
  };
  userInvoiceEntries: { entryId: bigint; userInvoiceId: bigint };
  userInvoiceSeries: { series: string; year: bigint; last: bigint };
  userInvoiceAddresses: { id: bigint; name: string; address: string; country: string; taxNumber: string };
}

export type UserInvoiceRow = Selectable<Tables["userInvoices"]>;
export type NewUserInvoice = Omit<UserInvoiceRow, "id">;

/** The filter of lists and counts; 0 matches any. */
export interface Filter {
  readonly userId: bigint;
  readonly year: bigint;
}

const COLUMNS = [
  "userId",
  "number",
  "kind",
  "correctsId",
  "year",
  "day",
  "seller",
  "name",
  "address",
  "country",
  "taxNumber",
  "lines",
  "netAmount",
  "taxAmount",
  "totalAmount",
  "taxRate",
  "taxLabel",
  "currency",
  "note",
  "createdAt",
] as const;

/** The SQL statements of this plugin. */
export function userInvoiceStore(db: Db<Tables>) {
  const listOf = memoizeByShape(
    ({ userId, year }: Filter) => [userId !== 0n, year !== 0n],
    ({ userId, year }) => {
      const filtered = (q: Kysely<Tables>, p: Filter) =>
        q.selectFrom("userInvoices")
          .$if(userId !== 0n, (rows) => rows.where("userId", "=", p.userId))
          .$if(year !== 0n, (rows) => rows.where("year", "=", p.year));
      return {
        page: db.query((q, p: Filter & Page) =>
          filtered(q, p).selectAll().orderBy("id", "desc").limit(p.size).offset(p.offset)
        ),
        count: db.query((q, p: Filter) => filtered(q, p).select(rowCount)),
      };
    },
  );
  return {
    listOf,
    insert: db.insert("userInvoices", COLUMNS),
    byIds: db.query((q, p: { ids: readonly bigint[] }) =>
      q.selectFrom("userInvoices").selectAll().where("id", "in", anyOf(p.ids))
    ),
    byNumber: db.query((q, p: { number: string }) =>
      q.selectFrom("userInvoices").selectAll().where("number", "=", p.number)
    ),
    /** Sums the credit notes of an invoice, which are negative. */
    corrected: db.query((q, p: { id: bigint }) =>
      q.selectFrom("userInvoices").select([
        sql<bigint>`coalesce(sum(totalAmount), 0)`.as("total"),
        sql<bigint>`coalesce(sum(netAmount), 0)`.as("net"),
      ]).where("correctsId", "=", p.id).where("correctsId", "<>", 0n)
    ),
    /** Returns the next number of a series, which rolls back with the transaction. */
    next: db.query((q, p: { series: string; year: bigint }) =>
      q.insertInto("userInvoiceSeries").values({ series: p.series, year: p.year, last: 1n })
        .onConflict((conflict) =>
          conflict.columns(["series", "year"]).doUpdateSet({ last: sql<bigint>`userInvoiceSeries.last + 1` })
        ).returning("last")
    ),
    invoiced: db.query((q, p: { ids: readonly bigint[] }) =>
      q.selectFrom("userInvoiceEntries").select("entryId").where("entryId", "in", anyOf(p.ids))
    ),
    addEntry: db.query((q, p: Tables["userInvoiceEntries"]) =>
      q.insertInto("userInvoiceEntries").values({ entryId: p.entryId, userInvoiceId: p.userInvoiceId })
    ),
    address: db.query((q, p: { userId: bigint }) =>
      q.selectFrom("userInvoiceAddresses").select(["name", "address", "country", "taxNumber"])
        .where("id", "=", p.userId)
    ),
    setAddress: db.query((q, p: Tables["userInvoiceAddresses"]) =>
      q.replaceInto("userInvoiceAddresses").values({
        id: p.id,
        name: p.name,
        address: p.address,
        country: p.country,
        taxNumber: p.taxNumber,
      })
    ),
    removeAddress: db.query((q, p: { userId: bigint }) =>
      q.deleteFrom("userInvoiceAddresses").where("id", "=", p.userId)
    ),
  };
}

export type UserInvoiceStore = ReturnType<typeof userInvoiceStore>;
