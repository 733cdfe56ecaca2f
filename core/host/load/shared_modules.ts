import module from "node:module";
import { pathToFileURL } from "node:url";
import { ROOT } from "../settings/settings.ts";

/** The packages that third-party plugins must share with the kernel: two copies would not recognise each other's types. */
export const SHARED = /^(edgehelm|@bufbuild\/protobuf|kysely)(\/|$)/;
const ROOT_URL = pathToFileURL(`${ROOT}/`).href;

let registered = false;

/**
 * Resolves the shared packages to the kernel's copies when a third-party plugin imports them. For plugins in folders,
 * Deno resolves them by the import map of deno.json before it calls these hooks.
 */
export function shareModules(): void {
  if (registered) return;
  registered = true;
  module.registerHooks({
    resolve(specifier, context, next) {
      const isThirdParty = context.parentURL !== undefined && !context.parentURL.startsWith(ROOT_URL);
      if (!isThirdParty || !SHARED.test(specifier)) return next(specifier, context);
      return next(specifier, { ...context, parentURL: import.meta.url });
    },
  });
}
