import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { endWithThisProcess } from "../../installation/children.ts";
import type { Installation } from "../../installation/installation.ts";
import type { Progress } from "../../report/progress.ts";
import { quantile } from "../../report/statistics.ts";
import type { Measurement } from "../../suite.ts";
import { createNode, type NodeKey } from "./nodes.ts";

export const NODES = 5000;
const COMMANDS = 1000;
const COMMANDS_AT_ONCE = 8;
const CREATING_AT_ONCE = 16;

/** Connects nodes, each over a connection of its own, and measures their memory and commands to them. */
export async function connectedStreams(
  installation: Installation,
  root: string,
  stack: AsyncDisposableStack,
  progress: Progress,
): Promise<Measurement> {
  const { nsClusterId } = await installation.call<{ nsClusterId: number }>("/NSClusterService/createNSCluster", {
    ...{ name: "many", hosts: ["ns1.example.net"], email: "dns@example.net" },
  });
  progress.note(`creating ${NODES} nodes`);
  const nodes: (NodeKey & { readonly nsNodeId: number })[] = [];
  let created = 0;
  const create = async () => {
    while (created < NODES) nodes.push(await createNode(installation, nsClusterId, `node${created++}`));
  };
  await Promise.all(Array.from({ length: CREATING_AT_ONCE }, create));
  const { server } = installation;
  const before = server.residentMegabytes();
  progress.note(`connecting ${NODES} nodes`);
  const holder = await hold(root, `127.0.0.1:${installation.grpcPort}`, nodes);
  stack.defer(() => void holder.child.kill("SIGKILL"));
  const perStream = (server.residentMegabytes() - before) * 1000 / holder.open;

  return {
    figures: [
      { name: "connected_streams", unit: "streams" },
      { name: "rss_per_stream_kb", unit: "KB" },
      { name: "command_round_trip_ms_p50", unit: "ms" },
      { name: "command_round_trip_ms_p99", unit: "ms" },
    ],
    async measure() {
      const times: number[] = [];
      let sent = 0;
      const send = async () => {
        while (sent < COMMANDS) {
          const { nsNodeId } = nodes[sent++ * 7919 % nodes.length]!;
          const begin = performance.now();
          const reply = await installation.call<{ isOk: boolean; message: string }>(
            "/NSNodeService/sendCommandToNSNode",
            { nsNodeId, code: "ping" },
          );
          if (!reply.isOk) throw new Error(`node ${nsNodeId}: ${reply.message}`);
          times.push(performance.now() - begin);
        }
      };
      await Promise.all(Array.from({ length: COMMANDS_AT_ONCE }, send));
      return [holder.open, perStream, quantile(times, 0.5), quantile(times, 0.99)];
    },
  };
}

/** Starts a process that holds the streams, and waits until all are open. */
async function hold(root: string, address: string, nodes: readonly NodeKey[]) {
  const program = fileURLToPath(new URL("node_streams.mjs", import.meta.url));
  const child: ChildProcess = spawn("node", [program, root, address], {
    cwd: root,
    stdio: ["pipe", "pipe", "inherit"],
  });
  endWithThisProcess(child);
  child.stdin!.end(nodes.map(({ uniqueId, secret }) => `${uniqueId} ${secret}\n`).join(""));
  let output = "";
  const open = await new Promise<number>((resolve, reject) => {
    child.stdout!.on("data", (chunk) => {
      output += chunk;
      const [, count] = /^holds (\d+) of/m.exec(output) ?? [];
      if (count !== undefined) resolve(Number(count));
    });
    child.once("close", (code) => reject(new Error(`the nodes ended with ${code}: ${output}`)));
  });
  return { child, open };
}
