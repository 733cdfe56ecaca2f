import type { Logger } from "../../base/log.ts";
import type { PluginUse } from "../../kernel/check/check.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import { controlPath } from "../control/control_message.ts";
import { type ControlServer, listenControl } from "../control/control_server.ts";
import { createServices, type Services, type ServingState } from "../listen/services.ts";
import { bootKernel, type Machine } from "../load/open_kernel.ts";
import { PrometheusMetrics } from "../observe/metrics.ts";
import { localPath } from "../settings/database_path.ts";
import type { Settings } from "../settings/settings.ts";
import { heldEngine } from "./held_engine.ts";

const RELOADED = "the plugins are reloaded; call again";

/** Plugins that serve an installation until others take their place, on the same machine and database. */
export class ServedPlugins {
  readonly settings: Settings;
  readonly plugins: readonly PluginUse[];
  readonly kernel: Kernel;
  readonly services: Services;
  readonly metrics: PrometheusMetrics;
  readonly #log: Logger;
  #state: ServingState = "starting";
  #control: ControlServer | undefined;

  private constructor(
    settings: Settings,
    plugins: readonly PluginUse[],
    kernel: Kernel,
    log: Logger,
    metrics: PrometheusMetrics,
  ) {
    this.settings = settings;
    this.plugins = plugins;
    this.kernel = kernel;
    this.#log = log;
    this.services = createServices(kernel, settings, () => this.#state);
    this.metrics = metrics;
  }

  /**
   * Boots plugins on the database of the installation. The engine stays open when they stop.
   *
   * @throws StartupError
   */
  static async boot(
    machine: Machine,
    settings: Settings,
    plugins: readonly PluginUse[],
    log: Logger,
  ): Promise<ServedPlugins> {
    const metrics = new PrometheusMetrics();
    const held = { ...machine, engine: heldEngine(machine.engine) };
    return new ServedPlugins(settings, plugins, await bootKernel(held, plugins, settings, log, metrics), log, metrics);
  }

  /** Starts jobs and commands. Open the doors next. */
  async begin(): Promise<void> {
    this.kernel.startJobs();
    if (localPath(this.settings) !== undefined) {
      this.#control = await listenControl(controlPath(this.settings.dataDirectory), this.kernel, this.#log);
    }
    this.#state = "serving";
    this.services.health.changed();
  }

  /** Ends streams and jobs, lets calls finish and closes the plugins. Close the doors first. */
  async end(reason = RELOADED): Promise<void> {
    const { drainMilliseconds } = this.settings.stop;
    this.#state = "stopping";
    this.services.health.changed();
    await this.#control?.close();
    this.kernel.endLongWork(drainMilliseconds, reason);
    await this.kernel.stop(drainMilliseconds);
  }
}
