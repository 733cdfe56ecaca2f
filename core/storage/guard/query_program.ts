import type { SqlRow } from "../engine.ts";

/** One instruction of a compiled statement, as EXPLAIN lists it. */
export interface ProgramStep {
  /** The address in its program. Each trigger has a program of its own, which starts at 0. */
  readonly address: number;
  readonly opcode: string;
  readonly p1: number;
  readonly p2: number;
  readonly p3: number;
  readonly p4: string;
  readonly p5: number;
}

/** Converts the rows of `EXPLAIN <sql>`, whose columns are addr, opcode, p1 to p5 and comment. */
export function readProgram(rows: readonly SqlRow[]): readonly ProgramStep[] {
  return rows.map(([address, opcode, p1, p2, p3, p4, p5]) => ({
    address: Number(address),
    opcode: String(opcode),
    p1: Number(p1),
    p2: Number(p2),
    p3: Number(p3),
    p4: String(p4 ?? ""),
    p5: Number(p5),
  }));
}

const LOOPS = /Next|Prev|Yield|Gosub|RowSet|Program/;

/** Returns true if a statement returns at most one row for any data: its program has one output and no loop. */
export function givesOneRow(program: readonly ProgramStep[]): boolean {
  let emits = 0;
  for (const [address, { opcode, p2 }] of program.entries()) {
    if (opcode === "ResultRow") emits++;
    const jumpsBack = opcode === "Goto" && p2 > 1 && p2 < address;
    if (jumpsBack || LOOPS.test(opcode)) return false;
  }
  return emits === 1;
}
