import { providerOf } from "../base/contract.ts";
import { kernelErrors, type RpcError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import type { Plugin } from "../plugin_api/plugin.ts";
import type { PluginManifest } from "../plugin_api/plugin_manifest.ts";

/** A plugin that does not run, although the installation manifest enables it. */
export interface FailedPlugin {
  readonly manifest: PluginManifest;
  /** The reason, for the log. */
  readonly error: string;
}

/** The plugins of an installation that do not run, because they failed or need one that failed. */
export class Degradation {
  /** False if a plugin that fails stops the start. */
  readonly isAllowed: boolean;
  readonly #log: Logger;
  readonly #failed = new Map<string, FailedPlugin>();

  /** @param failed the plugins that could not be imported; undefined if a plugin that fails stops the start */
  constructor(failed: readonly FailedPlugin[] | undefined, log: Logger) {
    this.isAllowed = failed !== undefined;
    this.#log = log;
    for (const { manifest, error } of failed ?? []) this.fail(manifest, error);
  }

  get failed(): readonly FailedPlugin[] {
    return [...this.#failed.values()];
  }

  has(plugin: string): boolean {
    return this.#failed.has(plugin);
  }

  fail(manifest: PluginManifest, error: string): void {
    this.#failed.set(manifest.name, { manifest, error });
    this.#log.error("plugin does not run", { plugin: manifest.name, error });
  }

  /**
   * Takes out the plugins that need one that failed.
   *
   * @returns those that it took out
   */
  spread(plugins: readonly Plugin[]): Plugin[] {
    const out: Plugin[] = [];
    for (let before = -1; before < out.length;) {
      before = out.length;
      for (const plugin of plugins) {
        const needed = this.has(plugin.manifest.name) ? undefined : this.#missingNeed(plugin);
        if (needed === undefined) continue;
        this.fail(plugin.manifest, `it needs plugin "${needed}", which does not run`);
        out.push(plugin);
      }
    }
    return out;
  }

  #missingNeed({ requires = {} }: Plugin): string | undefined {
    return Object.values(requires).filter(({ optional }) => !optional).map(providerOf).find((name) => this.has(name));
  }

  /** Returns the error for calls of a service whose plugin does not run; undefined for all others. */
  errorOf(service: string): RpcError | undefined {
    const owner = this.failed.find(({ manifest }) => manifest.services.includes(service));
    return owner && notRunning(owner.manifest.name);
  }
}

/** Returns the error for what needs a plugin that does not run. */
export function notRunning(plugin: string): RpcError {
  return kernelErrors.unavailable(`the plugin "${plugin}" does not run; the log of the server says why`);
}
