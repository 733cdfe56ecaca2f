import { type Call, invalid, kernelErrors, numberField, textField } from "edgehelm";
import type { NodeMessage } from "./streams.ts";

const DEFAULT_TIMEOUT_SECONDS = 10;
const MAX_TIMEOUT_SECONDS = 60;
/** The response must be sent before the deadline of the call. */
const MARGIN_MILLISECONDS = 200;

/** A checked command to a node. */
export interface NodeCommand {
  readonly command: Pick<NodeMessage, "code" | "dataJSON">;
  /** The time to wait for the response. */
  readonly milliseconds: number;
}

/**
 * Checks the request of an operation that sends a command to a node.
 *
 * @throws RpcError invalid
 *
 * @example
 * ```ts
 * const { command, milliseconds } = commandField(call, request);
 * const response = await links.ask(call, id, command, milliseconds);
 * ```
 */
export function commandField(
  call: Call,
  request: Pick<NodeMessage, "code" | "dataJSON" | "timeoutSeconds">,
): NodeCommand {
  const command = { code: textField("code", request.code, { min: 1 }), dataJSON: dataField(request.dataJSON) };
  const limits = { min: 0, max: MAX_TIMEOUT_SECONDS };
  const seconds = numberField("timeoutSeconds", request.timeoutSeconds, limits) || DEFAULT_TIMEOUT_SECONDS;
  const remaining = call.deadline - Date.now() - MARGIN_MILLISECONDS;
  if (remaining <= 0) throw kernelErrors.deadline("the command");
  return { command, milliseconds: Math.min(seconds * 1000, remaining) };
}

function dataField(bytes: Uint8Array): Uint8Array {
  try {
    if (bytes.length > 0) JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw invalid("dataJSON", "must be JSON");
  }
  return bytes;
}
