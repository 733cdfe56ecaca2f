import { invalid } from "../base/errors.ts";
import { textField } from "./fields.ts";

/**
 * Checks the absolute path of a file or directory on a machine, which must not contain `..`.
 *
 * @param limits the allowed length, as for `textField`: by default the field may be empty; `orWindows` also accepts paths
 *   such as `C:\data`
 * @returns the path without surrounding white space
 * @throws RpcError invalid
 *
 * @example
 * ```ts
 * import { absolutePathField } from "edgehelm/fields";
 *
 * const installDir = absolutePathField("installDir", request.installDir, { min: 1 });
 * ```
 */
export function absolutePathField(
  field: string,
  value: string,
  { orWindows = false, ...limits }: { readonly min?: number; readonly max?: number; readonly orWindows?: boolean } = {},
): string {
  const path = textField(field, value, limits);
  if (path === "") return path;
  const isAbsolute = path.startsWith("/") || orWindows && /^[A-Za-z]:[\\/]/.test(path);
  const parts = path.split(orWindows ? /[\\/]/ : "/");
  if (isAbsolute && !/[\0\n]/.test(path) && !parts.includes("..")) return path;
  throw invalid(field, `must be an absolute path without .., got "${path.slice(0, 60)}"`);
}
