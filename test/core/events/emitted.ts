import type { TestKernel } from "edgehelm/testing";
import { database } from "../../../core/storage/database.ts";
import { KERNEL_SCOPE, type KernelTables } from "../../../core/storage/kernel_tables.ts";

/** An event as it is stored. */
export interface EmittedRow {
  readonly name: string;
  readonly userId: bigint;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Returns the events of a plugin in their order. */
export async function emittedBy({ kernel }: TestKernel, plugin: string): Promise<EmittedRow[]> {
  const rows = await database<KernelTables>(KERNEL_SCOPE)(kernel.systemCall("test")).selectFrom("kernel_events")
    .select(["name", "userId", "dataJSON"]).orderBy("id").execute();
  return rows.filter(({ name }) => name.startsWith(`${plugin}.`))
    .map(({ name, userId, dataJSON }) => ({ name, userId, data: JSON.parse(dataJSON) }));
}
