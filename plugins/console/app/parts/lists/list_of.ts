import { callPath } from "../../shell/call.ts";
import { mayCall } from "../../shell/state.ts";

/** Returns a list, or an empty one if the reader may not call the operation. */
export async function listOf<Row>(
  path: string,
  field: string,
  request: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<readonly Row[]> {
  return mayCall(path) ? (await callPath(path, request, signal))[field] as readonly Row[] : [];
}
