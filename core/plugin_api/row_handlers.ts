import type { Call } from "../base/call.ts";
import type { RpcError } from "../base/errors.ts";
import { type Page, pageOf } from "../fields/page.ts";
import type { LiveRows } from "../storage/rows/live_rows.ts";
import type { Query } from "../storage/query.ts";
import type { RowList } from "../storage/rows/row_list.ts";
import { refuseWhenUsed, type UseCheck } from "../storage/rows/uses.ts";

/** A row that has an id. */
interface Identified {
  readonly id: bigint;
}

type IdIn<Field extends string> = Readonly<Record<Field, bigint>>;
type NoFields = Record<never, never>;

/** The options of {@link deleteRow}. */
export interface DeleteOptions<Row> {
  /** The plugins that may refer to the row. */
  readonly uses?: readonly UseCheck[];
  /** Creates the error for a row that is in use. */
  readonly inUse?: (id: bigint, users: string) => RpcError;
  /** Runs after the deletion, in its transaction. */
  readonly deleted?: (call: Call, row: Row) => Promise<void>;
}

/**
 * Returns the handler of an operation that finds one row. The response leaves out a row that does not exist.
 *
 * @param field the request field with the id
 * @param result the response field with the message
 * @param message converts the row
 *
 * @example
 * ```ts
 * import { findRow } from "edgehelm/rows";
 *
 * findEnabledPlan: findRow(plans, "planId", "plan", planMessage),
 * ```
 */
export function findRow<Row, const Field extends string, const Result extends string, Message>(
  rows: Pick<LiveRows<Row>, "find">,
  field: Field,
  result: Result,
  message: (row: Row) => Message,
): (request: IdIn<Field>, call: Call) => Promise<{ [Name in Result]?: Message }> {
  return async (request, call) => {
    const row = await rows.find(call, request[field]);
    return row === undefined ? {} : { [result]: message(row) } as { [Name in Result]: Message };
  };
}

/** The options of {@link createRow}. */
export interface CreateOptions<Values> {
  /** Runs before the insertion, in its transaction, for example to check a quota. */
  readonly check?: (call: Call, values: Values) => Promise<void>;
  /** Creates the error for a row that a unique index already contains, if `insertUnique` inserts the rows. */
  readonly exists?: (values: Values) => RpcError;
}

/**
 * Returns the handler of an operation that creates one row.
 *
 * @param field the response field with the id
 * @param insert the statement
 * @param values checks the request, and returns the values of the statement
 *
 * @example
 * ```ts
 * import { createRow } from "edgehelm/rows";
 *
 * createPlan: createRow("planId", plans.insert, planFields, { exists: ({ name }) => errors.name_taken(name) }),
 * ```
 */
export function createRow<Request, Values extends object, const Field extends string>(
  field: Field,
  insert: Query<Values, Identified>,
  values: (request: Request, call: Call) => Values,
  { check, exists }: CreateOptions<Values> = {},
): (request: Request, call: Call) => Promise<IdIn<Field>> {
  return async (request, call) => {
    const row = values(request, call);
    await check?.(call, row);
    const created = await insert.first(call, row);
    if (created === undefined) throw exists!(row);
    return { [field]: created.id } as IdIn<Field>;
  };
}

/**
 * Returns the handler of an operation that changes one row.
 *
 * @param field the request field with the id
 * @param update the statement
 * @param values checks the request, and returns the values of the statement without the id
 *
 * @example
 * ```ts
 * import { updateRow } from "edgehelm/rows";
 *
 * updatePlan: updateRow(plans, "planId", plans.update, planFields),
 * ```
 */
export function updateRow<
  Row extends Identified,
  const Field extends string,
  Request,
  Values extends Identified,
>(
  rows: Pick<LiveRows<Row>, "require">,
  field: Field,
  update: Query<Values, unknown>,
  values: (request: Request) => Omit<Values, "id">,
): (request: Request & IdIn<Field>, call: Call) => Promise<NoFields> {
  return async (request, call) => {
    const { id } = await rows.require(call, field, request[field]);
    await update.run(call, { ...values(request), id } as Values);
    return {};
  };
}

/**
 * Returns the handler of an operation that deletes one row.
 *
 * @param field the request field with the id
 *
 * @example
 * ```ts
 * import { deleteRow } from "edgehelm/rows";
 *
 * deletePlan: deleteRow(plans, "planId", { uses, inUse: errors.in_use }),
 * ```
 */
export function deleteRow<Row extends Identified, const Field extends string>(
  rows: Pick<LiveRows<Row>, "require" | "remove">,
  field: Field,
  { uses = [], inUse, deleted }: DeleteOptions<Row> = {},
): (request: IdIn<Field>, call: Call) => Promise<NoFields> {
  return async (request, call) => {
    const row = await rows.require(call, field, request[field]);
    if (inUse !== undefined) await refuseWhenUsed(call, row.id, uses, (users) => inUse(row.id, users));
    await rows.remove.run(call, { id: row.id });
    await deleted?.(call, row);
    return {};
  };
}

/** Returns the filter of a list. It may check the request, and select what the caller owns. */
type FilterOf<Request, Filter> = (request: Request, call: Call) => Filter;
type Messages<Result extends string, Message> = Promise<{ [Name in Result]: Message[] }>;

/**
 * Returns the handler of an operation that lists all rows.
 *
 * @param result the response field with the messages
 * @param filter returns the filter of the list; by default it is the request
 *
 * @example
 * ```ts
 * import { listRows } from "edgehelm/rows";
 *
 * findAllPlans: listRows(plans.list, "plans", planMessage, () => ({ isOn: true })),
 * ```
 */
export function listRows<Filter, Row, const Result extends string, Message, Request = Filter>(
  list: RowList<Filter, Row>,
  result: Result,
  message: (row: Row) => Message,
  filter: FilterOf<Request, Filter> = asFilter,
): (request: Request, call: Call) => Messages<Result, Message> {
  return async (request, call) => {
    const rows = await list.all(call, filter(request, call));
    return { [result]: rows.map((row) => message(row)) } as { [Name in Result]: Message[] };
  };
}

/**
 * Returns the handler of an operation that lists the rows that `offset` and `size` of the request select.
 *
 * @param result the response field with the messages
 * @param filter returns the filter of the list; by default it is the request
 *
 * @example
 * ```ts
 * import { pageRows } from "edgehelm/rows";
 *
 * listPlans: pageRows(plans.list, "plans", planMessage),
 * ```
 */
export function pageRows<Filter, Row, const Result extends string, Message, Request = Filter>(
  list: RowList<Filter, Row>,
  result: Result,
  message: (row: Row) => Message,
  filter: FilterOf<Request, Filter> = asFilter,
): (request: Request & Page, call: Call) => Messages<Result, Message> {
  return async (request, call) => {
    const page = pageOf(request);
    const rows = await list.page(call, filter(request, call), page);
    return { [result]: rows.map((row) => message(row)) } as { [Name in Result]: Message[] };
  };
}

/**
 * Returns the handler of an operation that counts rows.
 *
 * @param filter returns the filter of the list; by default it is the request
 *
 * @example
 * ```ts
 * import { countRows } from "edgehelm/rows";
 *
 * countPlans: countRows(plans.list),
 * ```
 */
export function countRows<Filter, Request = Filter>(
  list: RowList<Filter, unknown>,
  filter: FilterOf<Request, Filter> = asFilter,
): (request: Request, call: Call) => Promise<{ count: bigint }> {
  return async (request, call) => await list.count(call, filter(request, call));
}

function asFilter<Request, Filter>(request: Request): Filter {
  return request as unknown as Filter;
}
