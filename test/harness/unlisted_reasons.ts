import type { Dispatch } from "../../core/calls/dispatch.ts";
import type { ServedApi } from "../../core/kernel/served/served_api.ts";
import type { Plugin } from "../../core/plugin_api/plugin.ts";

/**
 * Watches the errors of operations for reasons that are not among those that the plugin lists, on which programs rely.
 *
 * @returns a function that throws if there was one
 */
export async function watchReasons(
  dispatch: Dispatch,
  api: ServedApi,
  plugins: readonly Plugin[],
): Promise<() => void> {
  const listing = new Set(plugins.flatMap(({ manifest, reasons }) => reasons === undefined ? [] : [manifest.name]));
  const errors = await api.errors();
  const unlisted = new Set<string>();
  const convert = dispatch.toRpcError.bind(dispatch);
  dispatch.toRpcError = (thrown, operation, requestId) => {
    const error = convert(thrown, operation, requestId);
    const { reason } = error;
    if (listing.has(operation.plugin) && !errors.reasonsOf(operation).has(reason)) {
      unlisted.add(`${operation.path}: ${reason}`);
    }
    return error;
  };
  return () => {
    if (unlisted.size === 0) return;
    throw new Error(`reasons that proto/reasons_pb.ts does not list: ${[...unlisted].join(", ")}; run deno task gen`);
  };
}
