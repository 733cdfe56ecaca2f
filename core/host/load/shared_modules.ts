import { readFileSync } from "node:fs";
import module from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../settings/settings.ts";

/** The packages that third-party plugins must share with the kernel: two copies would not recognise each other's types. */
export const SHARED = /^(edgehelm|@bufbuild\/protobuf|kysely)(\/|$)/;
const PACKAGE_NAME = "edgehelm";
const ROOT_URL = pathToFileURL(`${ROOT}/`).href;

let registered = false;

/**
 * Resolves the shared packages to the kernel's copies when a third-party plugin imports them. Does nothing for plugins of
 * this project: hooks make imports slower.
 *
 * @param url the module of the plugin
 */
export function shareModulesWith(url: string): void {
  if (registered || url.startsWith(ROOT_URL)) return;
  registered = true;
  const ownModule = ownModuleResolver();
  module.registerHooks({
    // Deno 2.9 calls a `resolve` hook for module imports only if there is a `load` hook as well.
    load: (url, context, next) => next(url, context),
    resolve(specifier, context, next) {
      const isThirdParty = context.parentURL !== undefined && !context.parentURL.startsWith(ROOT_URL);
      if (!isThirdParty || !SHARED.test(specifier)) return next(specifier, context);
      // Deno does not support the self-reference of a package by its `exports`.
      return next(ownModule(specifier) ?? specifier, { ...context, parentURL: import.meta.url });
    },
  });
}

/** Returns a function that resolves a specifier of this project; see {@link exportsResolver}. */
export function ownModuleResolver(): (specifier: string) => string | undefined {
  return exportsResolver(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).exports);
}

/**
 * Returns a function that resolves a specifier of this package by the `exports` of its package.json, as the package
 * self-reference of Node does. It returns the URL of a module, or undefined if the specifier is not exported.
 */
export function exportsResolver(exports: Readonly<Record<string, unknown>>): (specifier: string) => string | undefined {
  const targets = Object.entries(exports).map(([subpath, target]) => ({
    parts: `${PACKAGE_NAME}${subpath.slice(1)}`.split("*"),
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
