import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateKeyText, InstallationKey } from "../../auth/installation_key.ts";
import { systemClock, systemTimers } from "../../base/clock.ts";
import { createLogger } from "../../base/log.ts";
import { noMetrics } from "../../base/metrics.ts";
import type { PluginUse } from "../../kernel/check/check.ts";
import { createKernel, type Kernel } from "../../kernel/kernel.ts";
import { backupWork } from "../backup/scheduled/backup_work.ts";
import { loadPlugins } from "../load/load_plugins.ts";
import { WorkerPasswords } from "../passwords/passwords.ts";
import type { Settings } from "../settings/settings.ts";
import { machineOutbound } from "../outbound/outbound.ts";
import { openLocalEngine } from "../sqlite/engine.ts";

/**
 * Boots the plugins of an installation on an empty database in a temporary folder, which is also their data directory.
 * The data of the installation is not touched, so a server may be using it.
 *
 * @param look reads the booted kernel, which then stops
 * @throws StartupError with everything that would stop a start
 */
export async function trialBoot<Result>(
  settings: Settings,
  look: (plugins: readonly PluginUse[], kernel: Kernel) => Result,
): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), "edgehelm-trial-"));
  const passwords = new WorkerPasswords();
  try {
    const plugins = await loadPlugins({ ...settings, dataDirectory: directory });
    const kernel = await boot(settings, plugins, passwords, join(directory, "edgehelm.db"));
    const result = look(plugins, kernel);
    await kernel.stop(0);
    return result;
  } finally {
    await passwords.close();
    await rm(directory, { recursive: true, force: true });
  }
}

async function boot(
  settings: Settings,
  plugins: readonly PluginUse[],
  passwords: WorkerPasswords,
  path: string,
): Promise<Kernel> {
  const log = createLogger({ level: "silent", write() {}, clock: systemClock });
  const hostWork = backupWork(settings, systemClock, log, noMetrics);
  const engine = await openLocalEngine({ path });
  try {
    return await createKernel({
      plugins,
      engine,
      installationKey: await InstallationKey.fromText(generateKeyText(), "the temporary key"),
      passwords,
      clock: systemClock,
      timers: systemTimers,
      log,
      outbound: machineOutbound(settings.outbound),
      metrics: noMetrics,
      hostWork,
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
