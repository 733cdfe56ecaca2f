import type { Plugin } from "edgehelm";
import type { TestKernel } from "../kernel.ts";

const OF_THE_KERNEL = /^(kernel_|migration_|sqlite_)/;

/** Tables that a plugin made and does not list, and those that it lists and did not make. */
export async function tableErrors(edgehelm: TestKernel, { manifest }: Plugin): Promise<string[]> {
  const schema = await edgehelm.engine.migrate((session) => session.schema());
  const made = new Set([...schema.values()].map(({ table }) => table));
  const isOwn = (table: string) => manifest.tables.some((own) => table === own || table.startsWith(`${own}_`));
  return [
    ...[...made].filter((table) => !OF_THE_KERNEL.test(table) && !isOwn(table))
      .map((table) => `the table "${table}" was made and is not in plugin.json`),
    ...manifest.tables.filter((table) => !made.has(table))
      .map((table) => `the table "${table}" is in plugin.json and was not made`),
  ];
}
