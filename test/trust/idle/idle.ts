import { HelloWorldService } from "../../../plugins/hello_world/proto/service_hello_world_pb.ts";
import { CHOSEN_KEY, installationDirectory, removeInstallation, Server, THIS_RUNTIME } from "../../harness/server.ts";
import type { Campaign, CampaignOptions, CampaignResult } from "../campaign.ts";
import { SERVER_WIRES, ServerWires } from "../server_wires.ts";
import { mayOpen } from "./files_limit.ts";
import { openIdleClients } from "./idle_clients.ts";

const PLUGINS = ["admin", "api_access_token", "hello_world", "user_access_key"];
const CONNECTIONS = 10_000;
const MAX_RATIO = 5;

/** Compares the p99 of calls without and with idle connections. */
export const idle: Campaign = {
  about: "calls beside 10,000 idle connections over HTTP and gRPC, compared with the same calls without them",
  rounds: 5,
  async run(options) {
    const result = await callBesideIdle(options, { connections: CONNECTIONS, files: CONNECTIONS + 2000, calls: 500 });
    return { ...result, broken: [...result.broken, ...compareIdle(result)] };
  },
};

/** The size of a run. */
export interface IdleSize {
  readonly connections: number;
  /** The number of files that the server may have open. */
  readonly files: number;
  /** The number of calls over each wire. */
  readonly calls: number;
}

export async function callBesideIdle(
  { rounds, progress }: CampaignOptions,
  { connections, files, calls }: IdleSize,
): Promise<CampaignResult> {
  // The connections stay open while they are idle.
  const installation = await installationDirectory(PLUGINS, { limits: { idleSeconds: 3600 } });
  const server = await Server.start({ ...installation, ...CHOSEN_KEY }, mayOpen(files, THIS_RUNTIME));
  const wires = new ServerWires(server);
  const broken: string[] = [];
  const [unloaded, loaded, ratios, held]: number[][] = [[], [], [], []];
  try {
    const token = await server.adminToken();
    await latencies(wires, token, calls, broken);
    for (let round = 0; round < rounds; round++) {
      const before = percentile99(await latencies(wires, token, calls, broken));
      const clients = await openIdleClients(server, connections);
      const open = await clients.open();
      const beside = percentile99(await latencies(wires, token, calls, broken));
      held!.push(Math.min(open, await clients.open()));
      await clients.close();
      unloaded!.push(before);
      loaded!.push(beside);
      ratios!.push(beside / before);
      progress(`round ${round + 1}: ${open} open, p99 ${before.toFixed(2)} ms without, ${beside.toFixed(2)} ms with`);
    }
    await latencies(wires, token, calls, broken);
  } finally {
    wires.close();
    if (await server.stop() !== 0) broken.push(`the server failed: ${server.output.slice(-2000)}`);
    await removeInstallation(installation);
  }
  const figures = {
    idleConnections: Math.min(...held!),
    unloadedP99Milliseconds: median(unloaded!),
    loadedP99Milliseconds: median(loaded!),
    ratio: median(ratios!),
  };
  return { figures, broken };
}

/** The idle connections are held, and the p99 of calls stays within its bound. */
function compareIdle({ figures }: CampaignResult): string[] {
  const { idleConnections, ratio } = figures as { idleConnections: number; ratio: number };
  return [
    ...idleConnections < CONNECTIONS ? [`only ${idleConnections} of ${CONNECTIONS} connections stayed open`] : [],
    ...ratio > MAX_RATIO ? [`the p99 beside idle connections is ${ratio} times the other one`] : [],
  ];
}

/** Makes calls over every wire, one after the other on each, and returns their times in milliseconds. */
async function latencies(wires: ServerWires, token: string, calls: number, broken: string[]): Promise<number[]> {
  const times: number[] = [];
  await Promise.all(SERVER_WIRES.map(async (wire) => {
    for (let call = 0; call < calls; call++) {
      const startedAt = performance.now();
      const { code, reason } = await wires.call(wire, token, HelloWorldService.method.sayHello, { name: "Ada" });
      times.push(performance.now() - startedAt);
      if (code !== 200) broken.push(`a call over ${wire} failed: ${code} ${reason}`);
    }
  }));
  return times;
}

function percentile99(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
}

function median(values: readonly number[]): number {
  return Math.round(values.toSorted((a, b) => a - b)[values.length >> 1]! * 100) / 100;
}
