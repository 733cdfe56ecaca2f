import { callerId, invalid, kernelErrors, numberField, textField } from "edgehelm";
import type { Deps, Operations } from "./deps.ts";

const DEFAULT_TIMEOUT_SECONDS = 10;
const MAX_TIMEOUT_SECONDS = 60;
/** The response must be sent before the deadline of the call. */
const MARGIN_MILLISECONDS = 200;

/** Implements the stream between a node and the server, and commands over it. */
export function streamHandlers({ nodes, links }: Deps): Pick<Operations, "nsNodeStream" | "sendCommandToNSNode"> {
  return {
    async *nsNodeStream(requests, call) {
      const nsNodeId = callerId(call.caller);
      for await (const message of links.serve(call, requests)) yield { nsNodeId, ...message };
    },

    async sendCommandToNSNode(request, call) {
      const { id } = await nodes.require(call, "nsNodeId", request.nsNodeId);
      const command = { code: textField("code", request.code, { min: 1 }), dataJSON: dataField(request.dataJSON) };
      const limits = { min: 0, max: MAX_TIMEOUT_SECONDS };
      const seconds = numberField("timeoutSeconds", request.timeoutSeconds, limits) || DEFAULT_TIMEOUT_SECONDS;
      const remaining = call.deadline - Date.now() - MARGIN_MILLISECONDS;
      if (remaining <= 0) throw kernelErrors.deadline("the command");
      const response = await links.ask(call, id, command, Math.min(seconds * 1000, remaining));
      return { code: command.code, ...response, nsNodeId: id };
    },
  };
}

function dataField(bytes: Uint8Array): Uint8Array {
  try {
    if (bytes.length > 0) JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw invalid("dataJSON", "must be JSON");
  }
  return bytes;
}
