import type { Logger } from "../../base/log.ts";
import { StartupError } from "../../base/startup_error.ts";
import { listenGrpc } from "../listen/grpc_listener.ts";
import { listenHttp1With } from "../listen/http1_listener.ts";
import { listenMetrics } from "../listen/metrics_listener.ts";
import type { ConnectionPool } from "../../net/connection_pool.ts";
import type { Listener } from "../listen/listener.ts";
import { openConnectionPool } from "../listen/process_connections.ts";
import { loadPlugins } from "../load/load_plugins.ts";
import type { Machine } from "../load/open_kernel.ts";
import type { Settings } from "../settings/settings.ts";
import { errorTextWithPlace } from "./error_places.ts";
import { GrpcDoor } from "./grpc_door.ts";
import { HttpDoor } from "./http_door.ts";
import type { ModuleVersions } from "./module_versions.ts";
import { rehearse } from "./rehearsal.ts";
import { ServedPlugins } from "./served_plugins.ts";

/** A boot that takes longer waits for something that never comes. */
const MAX_BOOT_MILLISECONDS = 60_000;

/**
 * Serves an installation whose plugins are replaced while it runs.
 *
 * One process does it all, because only that is fast enough and loses no connection. Measured on Deno 2.9.6, two cores:
 * the modules of the 66 plugins take 1500 ms of processor time in a new process, but a changed one takes 1 to 2 ms in
 * one that runs; a boot takes 400 ms. A second process could not open the database file, which one process locks.
 *
 * So new plugins are first booted on a copy of the database. Only when that succeeds do the old ones stop: the listeners
 * stay open and hold requests until the new ones serve.
 */
export class DevServer {
  readonly #machine: Machine;
  readonly #modules: ModuleVersions;
  readonly #log: Logger;
  readonly #http = new HttpDoor();
  #grpc: GrpcDoor | undefined;
  #listeners: readonly Listener[] = [];
  #served: ServedPlugins | undefined;
  #pool: ConnectionPool | undefined;

  constructor(machine: Machine, modules: ModuleVersions, log: Logger) {
    this.#machine = machine;
    this.#modules = modules;
    this.#log = log;
  }

  get addresses(): readonly string[] {
    return this.#listeners.map(({ url }) => url);
  }

  /** True if plugins have started at least once. */
  get hasBooted(): boolean {
    return this.#served !== undefined;
  }

  /** Lines for the operator after the first start. */
  get notices(): readonly string[] {
    return this.#served?.kernel.notices ?? [];
  }

  /**
   * Serves the plugins of the settings in place of those that serve now, with the modules as they are now.
   *
   * @throws StartupError if they cannot start; those that serve now then continue
   */
  async serve(settings: Settings): Promise<void> {
    await withinTime(rehearse(this.#machine, settings, this.#modules));
    const plugins = await loadPlugins(settings, errorTextWithPlace);
    const before = this.#served;
    this.#http.hold();
    this.#grpc?.hold();
    await before?.end();
    try {
      await this.#pass(await ServedPlugins.boot(this.#machine, settings, plugins, this.#log));
    } catch (error) {
      if (before === undefined) throw error;
      const { settings, plugins } = before;
      await this.#pass(await ServedPlugins.boot(this.#machine, settings, plugins, this.#log));
      throw error;
    }
  }

  /** Serves no longer: finishes what is under way. */
  async close(): Promise<void> {
    const limit = this.#served?.settings.stop.drainMilliseconds ?? 0;
    this.#served?.kernel.endLongWork(limit);
    await Promise.all(this.#listeners.map((listener) => listener.close(limit)));
    await this.#served?.end();
    await this.#machine.engine.close();
    await this.#machine.passwords.close();
  }

  async #pass(served: ServedPlugins): Promise<void> {
    await served.begin();
    this.#served = served;
    this.#pool ??= openConnectionPool(served.settings.limits, this.#log);
    served.metrics.watchConnections(this.#pool);
    if (this.#grpc === undefined) await this.#listen(served, this.#pool);
    this.#grpc?.pass(served.services.grpc);
    this.#http.pass(served.services.http);
  }

  async #listen(
    { settings: { http, grpc, metrics, limits }, services }: ServedPlugins,
    pool: ConnectionPool,
  ): Promise<void> {
    const door = new GrpcDoor(services.grpc);
    const opening = [
      listenHttp1With((options) => this.#http.responder(options), http, limits, this.#log, pool),
      listenGrpc(door, grpc, http, limits, this.#log, pool),
      listenMetrics(metrics, limits, () => this.#metricsText(), this.#log),
    ];
    const opened = await Promise.allSettled(opening);
    this.#listeners = opened.flatMap((outcome) => outcome.status === "fulfilled" ? outcome.value ?? [] : []);
    const failed = opened.find((outcome) => outcome.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    this.#grpc = door;
  }

  /** The metrics of the plugins that serve now. */
  #metricsText(): Promise<string> {
    return this.#served!.metrics.text();
  }
}

async function withinTime(boot: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    const text = `the plugins did not start within ${
      MAX_BOOT_MILLISECONDS / 1000
    } seconds: an import or a set-up waits`;
    timer = setTimeout(() => reject(new StartupError(text)), MAX_BOOT_MILLISECONDS);
  });
  try {
    await Promise.race([boot, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
