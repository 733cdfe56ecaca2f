import type { ProgramStep } from "./query_program.ts";

/**
 * The bound of the work of a statement, as its program proves it. `bounded` visits as many rows as its parameters or its
 * LIMIT say, `keyed` visits all rows with a key in an index, `table` may visit a whole table, and `endless`, a recursive
 * query, may never end.
 */
export type WorkBound = "bounded" | "keyed" | "table" | "endless";

const ORDER: readonly WorkBound[] = ["bounded", "keyed", "table", "endless"];

/** Finds out about the schema what the program does not say. */
export interface BoundSchema {
  /** Returns the table whose rows or index are stored at a root page. */
  tableAt(rootPage: number): string | undefined;
  /** True if the statement may read a virtual table other than json_each and json_tree. */
  readonly searchesText: boolean;
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
/** Stands for the search of FTS5 for one row by its id. */
const ROW_OF_TEXT_INDEX = "=";
/** Matches the tables of SQLite itself, with a row for each table or index. */
const OWN_TABLES = /^sqlite_(?:sequence|stat\d)$/;

/** Derives the bound of a statement from its program and those of its triggers. */
export function workBound(program: readonly ProgramStep[], schema: BoundSchema): WorkBound {
  let bound = 0;
  for (const part of partsOf(program)) {
    for (const [address, step] of part.entries()) {
      bound = Math.max(bound, ORDER.indexOf(boundOf(part, address, step, schema)));
    }
  }
  return ORDER[bound]!;
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

function boundOf(
  part: readonly ProgramStep[],
  address: number,
  { opcode, p1, p2, p3, p4 }: ProgramStep,
  schema: BoundSchema,
): WorkBound {
  if (opcode === "Clear") return "table";
  if (opcode === "Count") return p3 === 0 && readsTable(part, address, p1, schema) ? "table" : "bounded";
  if (opcode === "VFilter") return schema.searchesText && p4 !== ROW_OF_TEXT_INDEX ? "table" : "bounded";
  if (opcode === "Goto" && p2 > 1 && p2 < address) return takesFromQueue(part, p2, address) ? "endless" : "bounded";
  if (!LOOP_ENDS.test(opcode) || !readsTable(part, p2, p1, schema) || isLimited(part, p2, address)) return "bounded";
  const hasKey = part.slice(p2, address).some((step) => KEY_ENDS.test(step.opcode) && step.p1 === p1);
  return hasKey ? "keyed" : "table";
}

/** Returns true for the loop of a recursive query, which takes rows from a queue and adds others. */
function takesFromQueue(part: readonly ProgramStep[], start: number, end: number): boolean {
  const queue = part[start]!;
  return queue.opcode === "Rewind" &&
    part.slice(start, end).some(({ opcode, p1 }) => opcode === "Delete" && p1 === queue.p1);
}

/** Returns true if a cursor is on a stored table at an address. Temporary tables contain what other loops visited. */
function readsTable(part: readonly ProgramStep[], address: number, cursor: number, schema: BoundSchema): boolean {
  const opens = (step: ProgramStep) => OPENS.test(step.opcode) && step.p1 === cursor;
  const opened = part.slice(0, address).findLast(opens) ?? part.find(opens);
  if (opened === undefined || !OPENS_TABLE.test(opened.opcode)) return false;
  return !OWN_TABLES.test(schema.tableAt(opened.p2) ?? "");
}

/** Returns true if each round of a loop counts towards a LIMIT, or there is only one: nothing skips the exit. */
function isLimited(part: readonly ProgramStep[], start: number, end: number): boolean {
  const body = part.slice(start, end);
  const exit = body.findIndex(({ opcode, p2 }) => (opcode === "DecrJumpZero" || opcode === "Goto") && p2 > end);
  if (exit < 0) return false;
  return !body.slice(0, exit).some(({ opcode, p2 }) => JUMPS.has(opcode) && p2 > start + exit && p2 <= end);
}
