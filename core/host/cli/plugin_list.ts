import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateKeyText, InstallationKey } from "../../auth/installation_key.ts";
import type { PluginUse } from "../../kernel/check.ts";
import { systemClock, systemTimers } from "../../base/clock.ts";
import { createKernel, type Kernel } from "../../kernel/kernel.ts";
import { createLogger } from "../../base/log.ts";
import { noMetrics } from "../../base/metrics.ts";
import { tablesOf } from "../../plugin_api/plugin.ts";
import { callersText, type Operation } from "../../calls/operation.ts";
import { WorkerPasswords } from "../passwords/passwords.ts";
import { openLocalEngine } from "../sqlite/engine.ts";

/** Lists the plugins with their tables and operations. It boots them on a temporary, empty database to find out. */
export async function pluginList(plugins: readonly PluginUse[]): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), "edgehelm-list-"));
  const passwords = new WorkerPasswords();
  try {
    const kernel = await bootOnTemporaryDatabase(plugins, passwords, join(directory, "edgehelm.db"));
    const byService = Map.groupBy(kernel.operations.all, ({ method }) => method.parent.name);
    await kernel.stop(0);
    return plugins.flatMap(({ plugin }) => {
      const { name, version, services } = plugin.manifest;
      const operationsOf = (service: string) => (byService.get(service) ?? []).map(operationLine);
      return [
        `${name} ${version}; tables: ${tablesOf(plugin).join(", ") || "none"}`,
        ...services.flatMap((service) => [`  ${service}`, ...operationsOf(service)]),
      ];
    });
  } finally {
    await passwords.close();
    await rm(directory, { recursive: true, force: true });
  }
}

function operationLine(operation: Operation): string {
  const { path, effect } = operation;
  return `    ${path.split("/")[2]!.padEnd(44)} ${effect.padEnd(8)} ${callersText(operation)}`;
}

async function bootOnTemporaryDatabase(
  plugins: readonly PluginUse[],
  passwords: WorkerPasswords,
  path: string,
): Promise<Kernel> {
  const engine = await openLocalEngine({ path });
  try {
    return await createKernel({
      plugins,
      engine,
      installationKey: await InstallationKey.fromText(generateKeyText(), "the temporary key"),
      passwords,
      clock: systemClock,
      timers: systemTimers,
      log: createLogger({ level: "silent", write() {}, clock: systemClock }),
      metrics: noMetrics,
      tokenLifetimeSeconds: 7200,
      rotateDays: 30,
      callMilliseconds: 30_000,
      migrate: true,
    });
  } catch (error) {
    await engine.close();
    throw error;
  }
}
