import { callerId, type Handlers } from "edgehelm";
import { commandField } from "../../node_base/contract.ts";
import type { NodeService } from "../proto/service_node_pb.ts";
import type { Deps } from "./deps.ts";

type StreamOperations = "nodeStream" | "sendCommandToNode";

/** Implements the stream between a node and the server, and commands over it. */
export function streamHandlers({ nodes, links }: Deps): Pick<Handlers<typeof NodeService>, StreamOperations> {
  return {
    async *nodeStream(requests, call) {
      const nodeId = callerId(call.caller);
      for await (const message of links.serve(call, requests)) yield { nodeId, ...message };
    },

    async sendCommandToNode(request, call) {
      const { id } = await nodes.require(call, "nodeId", request.nodeId);
      const { command, milliseconds } = commandField(call, request);
      return { code: command.code, ...await links.ask(call, id, command, milliseconds), nodeId: id };
    },
  };
}
