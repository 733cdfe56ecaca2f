import type { Plugin } from "edgehelm";
import { tablesOf } from "../../../core/plugin_api/plugin.ts";
import type { TestKernel } from "../kernel.ts";

const KERNEL_TABLE = /^(kernel_|migration_|sqlite_)/;

/** Returns an error for each table that a plugin creates but does not declare, or declares but does not create. */
export async function tableErrors(edgehelm: TestKernel, plugin: Plugin): Promise<string[]> {
  const schema = await edgehelm.engine.migrate((session) => session.schema());
  const created = new Set([...schema.values()].map(({ table }) => table));
  const isOwn = (table: string) => tablesOf(plugin).some((own) => table === own || table.startsWith(`${own}_`));
  return [
    ...[...created].filter((table) => !KERNEL_TABLE.test(table) && !isOwn(table))
      .map((table) => `the table "${table}" was created but is not in plugin.json`),
    ...plugin.manifest.tables.filter((table) => !created.has(table))
      .map((table) => `the table "${table}" is in plugin.json but was not created`),
  ];
}
