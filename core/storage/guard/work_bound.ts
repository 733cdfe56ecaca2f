import type { ProgramStep } from "./query_program.ts";

/**
 * The bound of the work of a statement, as its program proves it. `bounded` visits as many rows as its parameters or its
 * LIMIT say, or those of a table that is declared small; `keyed` visits all rows with a key in an index; `table` may
 * visit a whole table, or a range of it; and `endless`, a recursive query, may never end.
 */
export type WorkBound = "bounded" | "keyed" | "table" | "endless";

/** The bound of a statement, with a table that it may visit as a whole. */
export interface Work {
  readonly bound: WorkBound;
  readonly table?: string | undefined;
}

const ORDER: readonly WorkBound[] = ["bounded", "keyed", "table", "endless"];

/** Finds out about the schema what the program does not say. */
export interface BoundSchema {
  /** Returns the table whose rows or index are stored at a root page. */
  tableAt(rootPage: number): string | undefined;
  /** True if the statement may read a virtual table other than json_each and json_tree. */
  readonly searchesText: boolean;
  /** The maximum number of rows of the tables that are declared small. */
  readonly smallTables?: ReadonlyMap<string, number> | undefined;
}

/** The instructions that may continue at the address in their second operand. */
const JUMPS = new Set(
  ("And ElseEq Eq Filter FkIfZero Found Ge Goto Gt IdxGE IdxGT IdxLE IdxLT If IfEmpty IfNoHope IfNot IfNotOpen " +
    "IfNotZero IfNullRow IfPos IfSizeBetween IfSmaller IsNull IsType Jump Last Le Lt MustBeInt Ne NoConflict " +
    "NotExists NotFound NotNull Once Or Rewind RowSetRead RowSetTest SeekGE SeekGT SeekLE SeekLT SeekRowid SeekScan " +
    "Sort SorterSort VFilter").split(" "),
);
const LOOP_ENDS = /^(?:Next|Prev)$/;
const OPENS = /^(?:Open|ReopenIdx|SorterOpen|VOpen)/;
const OPENS_TABLE = /^(?:OpenRead|OpenWrite|ReopenIdx)$/;
const KEY_ENDS = /^Idx(?:GE|GT|LE|LT)$/;
const SEEKS = /^Seek(?:GE|GT|LE|LT)$/;
/** The instructions whose result is the same in every run. */
const CONSTANTS = /^(?:Integer|Int64|Real|String8?|Null|Blob)$/;
/** The instructions that put a value into the register in their second operand, and those that use the third. */
const SETS_P2 = /^(?:Variable|Integer|Int64|Real|String8?|Null|Blob|SCopy|Copy|Rowid|Sequence|Move|Param)$/;
const SETS_P3 = /^(?:Column|VColumn|Add|Subtract|Multiply|Divide|Remainder|Concat|Function|PureFunc)$/;
/** The rows that nested loops over small tables may visit together. */
const MAX_SMALL_ROWS = 100_000;
/** Stands for the search of FTS5 for one row by its id. */
const ROW_OF_TEXT_INDEX = "=";
/** Matches the tables of SQLite itself, with a row for each table or index. */
const OWN_TABLES = /^sqlite_(?:sequence|stat\d)$/;

/** Derives the work of a statement from its program and those of its triggers. */
export function workOf(program: readonly ProgramStep[], schema: BoundSchema): Work {
  let work: Work = { bound: "bounded" };
  for (const part of partsOf(program)) {
    for (const address of part.keys()) {
      const found = workAt(part, address, schema);
      if (ORDER.indexOf(found.bound) > ORDER.indexOf(work.bound)) work = found;
    }
  }
  return work;
}

/** Splits the steps into the program of the statement and those of its triggers, each with addresses from 0. */
function partsOf(program: readonly ProgramStep[]): ProgramStep[][] {
  const parts: ProgramStep[][] = [];
  for (const step of program) {
    if (step.address === 0) parts.push([]);
    parts.at(-1)?.push(step);
  }
  return parts;
}

const BOUNDED: Work = { bound: "bounded" };

/** Returns the work of the loop that ends at an address. */
function workAt(part: readonly ProgramStep[], address: number, schema: BoundSchema): Work {
  const { opcode, p1, p2, p3, p4 } = part[address]!;
  if (opcode === "Clear") return wholeTable(schema.tableAt(p1), schema);
  if (opcode === "Count") {
    const table = p3 === 0 ? tableOf(part, address, p1, schema) : undefined;
    return table === undefined ? BOUNDED : wholeTable(table, schema);
  }
  if (opcode === "VFilter") {
    const isSearch = schema.searchesText && p4 !== ROW_OF_TEXT_INDEX && !readsList(part, address);
    return isSearch ? { bound: "table" } : BOUNDED;
  }
  if (opcode === "Goto" && p2 > 1 && p2 < address) {
    return takesFromQueue(part, p2, address) ? { bound: "endless" } : BOUNDED;
  }
  if (!LOOP_ENDS.test(opcode) || isLimited(part, p2, address)) return BOUNDED;
  const table = tableOf(part, p2, p1, schema);
  if (table === undefined) return BOUNDED;
  if (visitsKey(part, p2, address, p1)) return { bound: "keyed", table };
  return smallRows(part, p2, address, schema) <= MAX_SMALL_ROWS ? BOUNDED : { bound: "table", table };
}

function wholeTable(table: string | undefined, { smallTables }: BoundSchema): Work {
  return smallTables?.has(table ?? "") === true ? BOUNDED : { bound: "table", table };
}

/** Returns true for json_each and json_tree with a value, which FTS5 does not have as the number of a plan. */
function readsList(part: readonly ProgramStep[], address: number): boolean {
  const { p3, p4 } = part[address]!;
  const plan = part.slice(0, address).findLast(({ opcode, p2 }) => opcode === "Integer" && p2 === p3);
  return p4 === "" && (plan?.p1 === 1 || plan?.p1 === 3);
}

/** Returns the rows that a loop and those around it may visit, all of them over small tables. */
function smallRows(part: readonly ProgramStep[], start: number, end: number, schema: BoundSchema): number {
  let rows = 1;
  for (const [address, { opcode, p1, p2 }] of part.entries()) {
    if (!LOOP_ENDS.test(opcode) || p2 > start || address < end || isLimited(part, p2, address)) continue;
    const table = tableOf(part, p2, p1, schema);
    if (table === undefined || (address !== end && visitsKey(part, p2, address, p1))) continue;
    rows *= schema.smallTables?.get(table) ?? Infinity;
  }
  return rows;
}

/**
 * Returns true if a loop visits only rows with a key: its end is compared with a key that it began at, of which one
 * column at least is a parameter or comes from another row. A range sets another value before its end is compared, and
 * a constant, such as a state, would choose most of a table.
 */
function visitsKey(part: readonly ProgramStep[], start: number, end: number, cursor: number): boolean {
  const last = part.slice(start, end).find((step) => KEY_ENDS.test(step.opcode) && step.p1 === cursor);
  const seek = part.slice(0, start).findLastIndex((step) => SEEKS.test(step.opcode) && step.p1 === cursor);
  if (last === undefined || seek < 0 || part[seek]!.p3 !== last.p3) return false;
  const columns = Math.min(Number(part[seek]!.p4), Number(last.p4));
  for (let register = last.p3; register < last.p3 + columns; register++) {
    const isSet = (step: ProgramStep) => setsRegister(step, register);
    // the columns of a range follow those of the key
    if (part.slice(seek + 1, start + 1).some(isSet)) return false;
    const isConstant = part.filter(isSet).every(({ opcode }) => CONSTANTS.test(opcode));
    if (!isConstant) return true;
  }
  return false;
}

function setsRegister({ opcode, p2, p3 }: ProgramStep, register: number): boolean {
  return SETS_P2.test(opcode) && p2 === register || SETS_P3.test(opcode) && p3 === register;
}

/** Returns true for the loop of a recursive query, which takes rows from a queue and adds others. */
function takesFromQueue(part: readonly ProgramStep[], start: number, end: number): boolean {
  const queue = part[start]!;
  return queue.opcode === "Rewind" &&
    part.slice(start, end).some(({ opcode, p1 }) => opcode === "Delete" && p1 === queue.p1);
}

/** Returns the stored table that a cursor is on at an address. Temporary tables contain what other loops visited. */
function tableOf(
  part: readonly ProgramStep[],
  address: number,
  cursor: number,
  schema: BoundSchema,
): string | undefined {
  const opens = (step: ProgramStep) => OPENS.test(step.opcode) && step.p1 === cursor;
  const opened = part.slice(0, address).findLast(opens) ?? part.find(opens);
  if (opened === undefined || !OPENS_TABLE.test(opened.opcode)) return undefined;
  const table = schema.tableAt(opened.p2) ?? "";
  return OWN_TABLES.test(table) ? undefined : table;
}

/** Returns true if each round of a loop counts towards a LIMIT, or there is only one: nothing skips the exit. */
function isLimited(part: readonly ProgramStep[], start: number, end: number): boolean {
  const body = part.slice(start, end);
  const exit = body.findIndex(({ opcode, p2 }) => (opcode === "DecrJumpZero" || opcode === "Goto") && p2 > end);
  if (exit < 0) return false;
  return !body.slice(0, exit).some(({ opcode, p2 }) => JUMPS.has(opcode) && p2 > start + exit && p2 <= end);
}
