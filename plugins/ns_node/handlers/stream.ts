import { callerId } from "edgehelm";
import { commandField } from "../../node_base/contract.ts";
import type { Deps, Operations } from "./deps.ts";

/** Implements the stream between a node and the server, and commands over it. */
export function streamHandlers({ nodes, links }: Deps): Pick<Operations, "nsNodeStream" | "sendCommandToNSNode"> {
  return {
    async *nsNodeStream(requests, call) {
      const nsNodeId = callerId(call.caller);
      for await (const message of links.serve(call, requests)) yield { nsNodeId, ...message };
    },

    async sendCommandToNSNode(request, call) {
      const { id } = await nodes.require(call, "nsNodeId", request.nsNodeId);
      const { command, milliseconds } = commandField(call, request);
      return { code: command.code, ...await links.ask(call, id, command, milliseconds), nsNodeId: id };
    },
  };
}
