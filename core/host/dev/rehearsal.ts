import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../base/clock.ts";
import { createLogger } from "../../base/log.ts";
import { noMetrics } from "../../base/metrics.ts";
import { StartupError } from "../../base/startup_error.ts";
import type { PluginUse } from "../../kernel/check/check.ts";
import { loadPlugins } from "../load/load_plugins.ts";
import { bootKernel, type Machine } from "../load/open_kernel.ts";
import { requireSignIn } from "../load/sign_in.ts";
import { localPath } from "../settings/database_path.ts";
import type { Settings } from "../settings/settings.ts";
import { copyDatabase } from "../sqlite/copy.ts";
import { openLocalEngine } from "../sqlite/engine.ts";
import { errorTextWithPlace, importErrorText, placeOf } from "./error_places.ts";
import type { ModuleVersions } from "./module_versions.ts";

/** A larger database is not copied: an empty one must do for the rehearsal. */
const MAX_COPIED_BYTES = 256 * 1024 * 1024;

/**
 * Boots plugins on a copy of the database in a temporary folder, while others serve the installation. What would stop a
 * start stops here, and nothing is lost: migrations that fail, names that clash, a set-up that throws.
 *
 * @throws StartupError
 */
export async function rehearse(machine: Machine, settings: Settings, modules: ModuleVersions): Promise<void> {
  const dataDirectory = await mkdtemp(join(tmpdir(), "edgehelm-dev-"));
  try {
    const loaded = await loadPlugins({ ...settings, dataDirectory }, (error) => importErrorText(error, modules));
    await boot(machine, settings, loaded.map(withPlaces), join(dataDirectory, "edgehelm.db"));
  } finally {
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

async function boot(
  machine: Machine,
  settings: Settings,
  plugins: readonly PluginUse[],
  path: string,
): Promise<void> {
  const source = localPath(settings);
  if (source !== undefined && (await stat(source)).size <= MAX_COPIED_BYTES) copyDatabase(source, path);
  const engine = await openLocalEngine({ path });
  const log = createLogger({ level: "silent", write() {}, clock: systemClock });
  try {
    const kernel = await bootKernel(
      { ...machine, engine, expectedInstallation: undefined },
      plugins,
      settings,
      log,
      noMetrics,
    );
    try {
      requireSignIn(kernel);
    } finally {
      await kernel.stop(0);
    }
  } catch (error) {
    await engine.close();
    const place = error instanceof StartupError ? placeOf(error.cause) : undefined;
    throw place === undefined ? error : new StartupError(`${(error as Error).message} (${place})`, { cause: error });
  }
}

/** The plugin, whose set-up says where it failed. */
function withPlaces(use: PluginUse): PluginUse {
  const setup: typeof use.plugin.setup = async (tools) => {
    try {
      await use.plugin.setup(tools);
    } catch (error) {
      throw new Error(errorTextWithPlace(error), { cause: error });
    }
  };
  return { ...use, plugin: { ...use.plugin, setup } };
}
