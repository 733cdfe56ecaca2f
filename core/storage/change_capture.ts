import {
  BinaryOperationNode,
  ColumnNode,
  type CompiledQuery,
  LimitNode,
  type OperationNode,
  OperatorNode,
  ReferenceNode,
  ReturningNode,
  SelectionNode,
  SelectQueryNode,
  TableNode,
  ValueNode,
  WhereNode,
} from "kysely";
import type { SqlStatement, TableScope } from "./engine.ts";

/** The maximum number of rows of one statement whose former values are read. */
export const MAX_CAPTURED_ROWS = 20;

/** A part of a statement with the values that it binds, of which some are placeholders. */
export interface CapturedStatement {
  readonly statement: SqlStatement;
  readonly slots: readonly unknown[];
}

/** A column that a statement sets: to a value or a placeholder, or to an expression that only SQL computes. */
export type SetColumn =
  | { readonly column: string; readonly slot: unknown }
  | { readonly column: string; readonly isComputed: true };

/** Finds the rows that a statement changes. It is made once, from the syntax tree of the statement. */
export interface Capture {
  readonly table: string;
  readonly kind: "insert" | "update" | "delete";
  /** Empty for a deletion, and for rows that come from a query. */
  readonly set: readonly SetColumn[];
  /** Reads the rows before the change; absent for a plain insert. */
  readonly before?: CapturedStatement;
  /** The change with its new rows as result, if it computes values and returns nothing itself. */
  readonly returning?: SqlStatement;
}

/** The syntax tree of a statement. */
export type StatementTree = CompiledQuery["query"];
type Compile = (tree: StatementTree) => CompiledQuery;

/** Returns how to capture a statement; undefined if it changes no rows of a single table. */
export function captureOf(node: StatementTree, scope: TableScope, compile: Compile): Capture | undefined {
  const compiled = (root: StatementTree) => {
    const { sql, parameters } = compile(root);
    return { statement: { sql, scope }, slots: parameters };
  };
  const rowsOf = (table: TableNode, where: WhereNode | undefined) => {
    const select = { ...SelectQueryNode.createFrom([table]), selections: [SelectionNode.createSelectAll()] };
    const limit = LimitNode.create(ValueNode.createImmediate(MAX_CAPTURED_ROWS + 1));
    return compiled({ ...select, ...where && { where }, limit });
  };
  switch (node.kind) {
    case "InsertQueryNode": {
      if (node.into === undefined) return undefined;
      const set = insertedColumns(node.columns ?? [], node.values);
      const { onConflict } = node;
      const plain = { table: nameOf(node.into), kind: "insert", set } as const;
      if (onConflict?.updates === undefined) return plain;
      const where = conflictCondition(onConflict.columns?.map(({ column }) => column.name) ?? [], set);
      return where === undefined ? plain : { ...plain, before: rowsOf(node.into, where) };
    }
    case "UpdateQueryNode": {
      const table = tableIn(node.table);
      if (table === undefined || node.with !== undefined || node.from !== undefined || node.joins !== undefined) {
        return undefined;
      }
      const set = (node.updates ?? []).map(({ column, value }) => setColumn(columnName(column), value));
      const update = { table: nameOf(table), kind: "update", set, before: rowsOf(table, node.where) } as const;
      const isComputed = set.some((each) => "isComputed" in each);
      if (!isComputed || node.returning !== undefined) return update;
      const returning = ReturningNode.create([SelectionNode.createSelectAll()]);
      return { ...update, returning: compiled({ ...node, returning }).statement };
    }
    case "DeleteQueryNode": {
      const [from, ...others] = node.from.froms;
      const table = tableIn(from);
      if (table === undefined || node.with !== undefined || others.length > 0 || node.using !== undefined) {
        return undefined;
      }
      return { table: nameOf(table), kind: "delete", set: [], before: rowsOf(table, node.where) };
    }
    default:
      return undefined;
  }
}

function nameOf({ table }: TableNode): string {
  return table.identifier.name;
}

function tableIn(node: OperationNode | undefined): TableNode | undefined {
  return node !== undefined && TableNode.is(node) ? node : undefined;
}

function columnName(node: OperationNode): string {
  if (node.kind === "ReferenceNode") return columnName((node as unknown as { column: OperationNode }).column);
  return (node as unknown as { column: { name: string } }).column.name;
}

function setColumn(column: string, value: OperationNode | undefined): SetColumn {
  return value !== undefined && ValueNode.is(value) ? { column, slot: value.value } : { column, isComputed: true };
}

/** Returns the columns of an insert of one row with values; none for several rows, or for those of a query. */
function insertedColumns(
  columns: readonly { readonly column: { readonly name: string } }[],
  values: OperationNode | undefined,
): SetColumn[] {
  const rows = (values as { values?: readonly OperationNode[] } | undefined)?.values;
  if (values?.kind !== "ValuesNode" || rows?.length !== 1) return [];
  const row = rows[0] as unknown as { readonly kind: string; readonly values: readonly unknown[] };
  return columns.map(({ column: { name } }, index) =>
    row.kind === "PrimitiveValueListNode"
      ? { column: name, slot: row.values[index] }
      : setColumn(name, row.values[index] as OperationNode)
  );
}

/** Returns the condition for the row that an insert would conflict with. */
function conflictCondition(key: readonly string[], set: readonly SetColumn[]): WhereNode | undefined {
  let where: WhereNode | undefined;
  for (const name of key) {
    const column = set.find((each) => each.column === name);
    if (column === undefined || !("slot" in column)) return undefined;
    const left = ReferenceNode.create(ColumnNode.create(name));
    const equals = BinaryOperationNode.create(left, OperatorNode.create("="), ValueNode.create(column.slot));
    where = where === undefined ? WhereNode.create(equals) : WhereNode.cloneWithOperation(where, "And", equals);
  }
  return where;
}

/** A capture for each statement, which is made when it first runs in a call that is on record. */
export class LazyCapture {
  readonly #node: StatementTree;
  readonly #scope: TableScope;
  readonly #compile: Compile;
  #capture: Capture | undefined | null = null;

  constructor(node: StatementTree, scope: TableScope, compile: Compile) {
    this.#node = node;
    this.#scope = scope;
    this.#compile = compile;
  }

  get(): Capture | undefined {
    if (this.#capture === null) this.#capture = captureOf(this.#node, this.#scope, this.#compile);
    return this.#capture;
  }
}
