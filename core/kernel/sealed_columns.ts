import type { SealedColumn } from "../auth/resealing/sealed_column.ts";
import type { StorageEngine } from "../storage/engine.ts";
import { migratedOwners } from "../storage/migrate/schema_check.ts";
import type { CheckedPlugin } from "./check/check.ts";
import { Secrets } from "./kernel_contracts.ts";

/** The sealed values of the kernel that do not expire within a day. */
const KERNEL_COLUMNS: readonly SealedColumn[] = [
  { table: "kernel_signing_keys", column: "sealedPrivateJwk", row: "kid" },
];

/** Returns the columns of the kernel and of plugins with sealed values. */
export function sealedColumns(plugins: readonly CheckedPlugin[]): SealedColumn[] {
  return [...KERNEL_COLUMNS, ...plugins.flatMap(({ use: { plugin } }) => plugin.sealed ?? [])];
}

/**
 * Returns which plugins may have sealed values that no declared column contains: those that seal without declaring it, and
 * those that are no longer enabled.
 */
export async function hiddenValues(engine: StorageEngine, plugins: readonly CheckedPlugin[]): Promise<string[]> {
  const undeclared = plugins.map(({ use: { plugin } }) => plugin)
    .filter(({ requires = {}, sealed }) => sealed === undefined && Object.values(requires).some(isSecrets))
    .map(({ manifest: { name } }) => `the plugin "${name}" does not declare its sealed columns`);
  const enabled = new Set(["kernel", ...plugins.map(({ use: { plugin } }) => plugin.manifest.name)]);
  const disabled = (await migratedOwners(engine)).filter((owner) => !enabled.has(owner))
    .map((owner) => `the plugin "${owner}" has tables, but is not enabled`);
  return [...undeclared, ...disabled];
}

function isSecrets({ id }: { readonly id: string }): boolean {
  return id === Secrets.id;
}
