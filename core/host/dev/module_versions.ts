import module from "node:module";
import { join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ROOT } from "../settings/settings.ts";

/** The folders of the project whose modules exist once in a process: plugins share their types with the kernel. */
const KEPT = ["core", "proto", "test"].map((folder) => pathToFileURL(join(ROOT, folder) + sep).href);

/**
 * Imports modules of plugins again after a change. A runtime keeps every module that it has imported, by its URL, so a
 * module that changed gets another URL, and so do those that import it. All others stay as they are.
 */
export class ModuleVersions {
  readonly #versions = new Map<string, number>();
  readonly #importers = new Map<string, Set<string>>();
  #version = 0;

  /** Starts to resolve the imports of this process. Call it before plugins are imported. */
  register(): void {
    module.registerHooks({
      // Deno 2.9 calls a `resolve` hook for module imports only if there is a `load` hook as well.
      load: (url, context, next) => next(url, context),
      resolve: (specifier, context, next) => {
        const resolved = next(specifier, context);
        const url = withoutVersion(resolved.url);
        if (!isReplaceable(url)) return resolved;
        const importers = this.#importersOf(url);
        if (context.parentURL !== undefined) importers.add(withoutVersion(context.parentURL));
        const version = this.#versions.get(url);
        return version === undefined ? resolved : { ...resolved, url: `${url}?version=${version}` };
      },
    });
  }

  /** The paths of the modules of plugins that were imported. */
  get paths(): string[] {
    return [...this.#importers.keys()].map((url) => fileURLToPath(url));
  }

  /** Has changed modules, and all that import them, imported again. A file of no module renews its whole folder. */
  renew(paths: Iterable<string>, folders: readonly string[]): void {
    const version = ++this.#version;
    const queue = [...paths].flatMap((path) => {
      const { href } = pathToFileURL(path);
      if (this.#importers.has(href)) return [href];
      const folder = folders.find((folder) => path.startsWith(folder + sep));
      const start = folder && pathToFileURL(folder + sep).href;
      return [href, ...[...this.#importers.keys()].filter((url) => start !== undefined && url.startsWith(start))];
    });
    const renewed = new Set<string>();
    for (let url = queue.pop(); url !== undefined; url = queue.pop()) {
      if (renewed.has(url)) continue;
      renewed.add(url);
      if (isReplaceable(url)) this.#versions.set(url, version);
      queue.push(...this.#importers.get(url) ?? []);
    }
  }

  #importersOf(url: string): Set<string> {
    const known = this.#importers.get(url);
    if (known !== undefined) return known;
    const importers = new Set<string>();
    this.#importers.set(url, importers);
    return importers;
  }
}

function withoutVersion(url: string): string {
  return url.replace(/\?version=\d+$/, "");
}

function isReplaceable(url: string): boolean {
  return url.startsWith("file:") && !url.includes("/node_modules/") && !KEPT.some((folder) => url.startsWith(folder));
}
