import type { TestKernel } from "edgehelm/testing";
import { database } from "../../core/storage/database.ts";

/** Counts the rows of a table of a plugin. */
export async function countRows({ kernel }: TestKernel, plugin: string, table: string): Promise<number> {
  const db = database<Record<string, { id: bigint }>>({ owner: plugin, tables: new Set([table]) });
  const rows = await db(kernel.systemCall("test")).selectFrom(table)
    .select((e) => e.fn.countAll<bigint>().as("count")).execute();
  return Number(rows[0]!.count);
}
