import { fileURLToPath } from "node:url";
import { ServerProcess } from "../../installation/server_process.ts";
import { nodeCommand } from "../../installation/start_command.ts";
import { TemporaryFolder } from "../../installation/temporary_folder.ts";
import type { Suite } from "../../suite.ts";
import { grpcLatencyMeasurement, grpcMeasurement } from "../../measurement/grpc.ts";
import { helloLoad, TransportInstallations } from "./installations.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const GRPC_JS = fileURLToPath(new URL("../../peers/grpc_js_server.mjs", import.meta.url));
const CONNECT_NODE = fileURLToPath(new URL("../../peers/connect_node_server.ts", import.meta.url));
const GRPC_JS_CALLS = 20_000;
const CONNECT_NODE_CALLS = 8000;
const LATENCY_CALLS = 60_000;

/** gRPC through the default kernel on Deno and Node, beside servers on Node that do the echo alone. */
export const transport: Suite = {
  async open({ root, seconds }) {
    const folder = new TemporaryFolder();
    const ours = new TransportInstallations(root, folder);
    const peers: ServerProcess[] = [];
    const target = (index: number) => () => ({ server: peers[index]!, port: peers[index]!.port, load });
    const load = helloLoad(folder);
    const stop = async () => {
      await Promise.all([ours.stop(), ...peers.splice(0).map((peer) => peer.stop())]);
    };
    return {
      measurements: [
        ...ours.measurements(seconds),
        grpcMeasurement("grpc_js", GRPC_JS_CALLS, target(0)),
        grpcMeasurement("connect_node", CONNECT_NODE_CALLS, target(1)),
        grpcLatencyMeasurement("grpc_p99", LATENCY_CALLS, () => ours.hello(ours.onDeno)),
      ],
      async begin() {
        await ours.start();
        for (const command of [nodeCommand(GRPC_JS, ROOT), nodeCommand(CONNECT_NODE)]) {
          peers.push(await ServerProcess.start(command));
        }
      },
      end: stop,
      async [Symbol.asyncDispose]() {
        await stop();
        await ours[Symbol.asyncDispose]();
        folder[Symbol.dispose]();
      },
    };
  },
  async openForComparison({ root, seconds }) {
    const folder = new TemporaryFolder();
    const ours = new TransportInstallations(root, folder);
    // the first start makes the database
    await ours.start();
    await ours.stop();
    return {
      measurements: ours.measurements(seconds),
      begin: () => ours.start(),
      end: () => ours.stop(),
      async [Symbol.asyncDispose]() {
        await ours[Symbol.asyncDispose]();
        folder[Symbol.dispose]();
      },
    };
  },
};
