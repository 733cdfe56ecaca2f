import module from "node:module";
import { pathToFileURL } from "node:url";
import { ROOT } from "../settings/settings.ts";

/** What a plugin from outside must share with the kernel: two copies would not know each other's messages. */
export const SHARED = /^(edgehelm|@bufbuild\/protobuf|kysely)(\/|$)/;
const ROOT_URL = pathToFileURL(`${ROOT}/`).href;

let registered = false;

/**
 * Makes plugins from outside the project find the host's own copies of the packages that they share with it. Deno does
 * so by the import map of deno.json for folders, which it resolves before any hook is asked.
 */
export function shareModules(): void {
  if (registered) return;
  registered = true;
  module.registerHooks({
    resolve(specifier, context, next) {
      const outside = context.parentURL !== undefined && !context.parentURL.startsWith(ROOT_URL);
      if (!outside || !SHARED.test(specifier)) return next(specifier, context);
      return next(specifier, { ...context, parentURL: import.meta.url });
    },
  });
}
