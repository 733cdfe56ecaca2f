import { readFileSync } from "node:fs";
import module from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../settings/settings.ts";

/** Packages that a third-party plugin must share with the kernel: two copies would not know each other's messages. */
export const SHARED = /^(edgehelm|@bufbuild\/protobuf|kysely)(\/|$)/;
const OWN_NAME = "edgehelm";
const ROOT_URL = pathToFileURL(`${ROOT}/`).href;

let registered = false;

/** Makes plugins from outside the project resolve shared packages to the host's own copies. */
export function shareModules(): void {
  if (registered) return;
  registered = true;
  const ownModule = exportsResolver(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).exports);
  module.registerHooks({
    // Deno 2.9 asks a `resolve` hook about imports of modules only if there is a `load` hook, too.
    load: (url, context, next) => next(url, context),
    resolve(specifier, context, next) {
      const isOutside = context.parentURL !== undefined && !context.parentURL.startsWith(ROOT_URL);
      if (!isOutside || !SHARED.test(specifier)) return next(specifier, context);
      // Deno does not resolve a package's own name by its `exports`.
      return next(ownModule(specifier) ?? specifier, { ...context, parentURL: import.meta.url });
    },
  });
}

/**
 * Returns a function that resolves a specifier of this project by the `exports` of its package.json, as Node's "package
 * self-reference" does: to the URL of a module, or undefined for what is not exported.
 */
export function exportsResolver(exports: Readonly<Record<string, unknown>>): (specifier: string) => string | undefined {
  const targets = Object.entries(exports).map(([subpath, target]) => ({
    parts: `${OWN_NAME}${subpath.slice(1)}`.split("*"),
    target: typeof target === "string" ? target : (target as { readonly default: string }).default,
  }));
  return (specifier) => {
    for (const { parts: [start, end], target } of targets) {
      if (end === undefined) {
        if (specifier === start) return new URL(target, ROOT_URL).href;
      } else if (specifier.startsWith(start!) && specifier.endsWith(end) && !specifier.includes("..")) {
        return new URL(target.replace("*", specifier.slice(start!.length, -end.length)), ROOT_URL).href;
      }
    }
    return undefined;
  };
}
