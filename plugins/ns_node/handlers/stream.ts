import { type Call, invalid, kernelErrors, NodeBusy, numberField, textField } from "edgehelm";
import { callingNode } from "../callers.ts";
import { TaskWatch } from "../tasks.ts";
import type { Operations, Parts } from "./parts.ts";

const DEFAULT_POLL_MILLISECONDS = 1000;
const DEFAULT_TIMEOUT_SECONDS = 10;
const MAX_TIMEOUT_SECONDS = 60;
/** The answer must leave before the caller's own deadline. */
const MARGIN_MILLISECONDS = 200;
/** An installation without several API servers is the one API node that there is. */
const CONNECTED = new TextEncoder().encode(JSON.stringify({ apiNodeId: 1 }));

/** The stream between a node and the server, and commands over it. */
export function streamHandlers(parts: Parts): Pick<Operations, "nsNodeStream" | "sendCommandToNSNode"> {
  const { nodes, connections, presence, taskPollMilliseconds } = parts;

  async function markConnected(call: Call): Promise<bigint> {
    return await call.transact(async (inner) => {
      const node = await callingNode(nodes, inner);
      await nodes.setActive.run(inner, { id: node.id, isActive: true });
      await presence.cameOnline(inner, node);
      return node.id;
    });
  }

  return {
    async *nsNodeStream(requests, call) {
      const id = await markConnected(call);
      const connection = connections.open(id);
      const tasks = new TaskWatch(parts, call, connection);
      try {
        connection.push({ code: "connectedAPINode", dataJSON: CONNECTED, isOk: true });
        await tasks.start(taskPollMilliseconds || DEFAULT_POLL_MILLISECONDS);
        for await (const message of connection.exchange(call, requests)) yield { nsNodeId: id, ...message };
      } finally {
        await tasks.stop();
        if (connections.close(connection)) {
          await call.transact((inner) => nodes.setActive.run(inner, { id, isActive: false }));
        }
      }
    },

    async sendCommandToNSNode(request, call) {
      const { id } = await nodes.require(call, "nsNodeId", request.nsNodeId);
      const command = { code: textField("code", request.code, { min: 1 }), dataJSON: dataField(request.dataJSON) };
      const limits = { min: 0, max: MAX_TIMEOUT_SECONDS };
      const seconds = numberField("timeoutSeconds", request.timeoutSeconds, limits) || DEFAULT_TIMEOUT_SECONDS;
      const fail = (message: string) => ({ nsNodeId: id, code: command.code, isOk: false, message });
      const connection = connections.of(id);
      if (connection === undefined) return fail(`node '${id}' not connected yet`);
      const left = call.deadline - Date.now() - MARGIN_MILLISECONDS;
      if (left <= 0) throw kernelErrors.deadline("the command");
      try {
        const milliseconds = Math.min(seconds * 1000, left);
        const reply = await connection.ask(command, milliseconds);
        if (reply !== undefined) return { ...reply, nsNodeId: id };
        return fail(`response timeout over ${Math.ceil(milliseconds / 1000)} seconds`);
      } catch (error) {
        if (error instanceof NodeBusy) return fail(`too many commands wait for node '${id}'`);
        throw error;
      }
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
