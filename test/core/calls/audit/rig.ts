import { stub, type TestKernel } from "edgehelm/testing";
import { type AuditRow } from "../../../../core/calls/audit/chain.ts";
import { database } from "../../../../core/storage/database.ts";
import { KERNEL_SCOPE, type KernelTables } from "../../../../core/storage/kernel_tables.ts";
import keys from "../../../../plugins/ns_key/plugin.ts";
import tokens from "../../../../plugins/api_access_token/plugin.ts";
import { NSNodes } from "../../../../plugins/ns_node/contract.ts";
import { domainKernel } from "../../../plugins/ns_domain/rig.ts";

export const kernelDb = database<KernelTables>(KERNEL_SCOPE);

/** Starts an installation with domains, their keys and groups. */
export function auditedKernel(options: Parameters<typeof domainKernel>[0] = {}): Promise<TestKernel> {
  const nodes = stub(NSNodes, { followedCluster: async ({ caller }) => caller.role === "dns" ? caller.nodeId : 0n });
  return domainKernel({ plugins: [keys, tokens], stubs: [nodes], ...options });
}

/** Returns the records of an operation, or all, the oldest first. */
export async function recordsOf({ kernel }: TestKernel, operation?: string): Promise<AuditRow[]> {
  const all = await kernelDb(kernel.systemCall("test")).selectFrom("kernel_audit").selectAll().orderBy("id").execute();
  return operation === undefined ? all : all.filter((record) => record.operation.endsWith(`/${operation}`));
}

/** Runs statements on the audit log as one who has the database. */
export async function tamper({ engine }: TestKernel, ...statements: readonly string[]): Promise<void> {
  await engine.write(async (session) => {
    for (const sql of statements) await session.run({ sql, scope: { owner: "kernel", tables: undefined } }, []);
  });
}

/** Runs a command of the kernel's command line. */
export async function runCommand({ kernel }: TestKernel, name: string, args: readonly string[] = []) {
  const command = kernel.commands.find((command) => command.name === name)!;
  return await command.run(kernel.commandCall(name), args);
}
