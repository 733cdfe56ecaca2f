import { HelloWorldService } from "../../../plugins/hello_world/proto/service_hello_world_pb.ts";
import { CHOSEN_KEY, installationDirectory, removeInstallation, Server } from "../../harness/server.ts";
import type { Campaign, CampaignOptions, CampaignResult } from "../campaign.ts";
import { SERVER_WIRES, ServerWires } from "../server_wires.ts";
import { slowKinds } from "./kinds.ts";
import { untilServerEnds } from "./slow_client.ts";

const PLUGINS = ["admin", "api_access_token", "hello_world", "user_access_key"];
const LIMITS = {
  ...{ headerSeconds: 2, bodySeconds: 4, idleSeconds: 6, responseSeconds: 3 },
  responseBytesPerSecond: 2 ** 26,
};
/** The last limit, the sweeps of each second, and what a busy machine adds. */
const MAX_SECONDS = 20;
const INTERVAL_MILLISECONDS = 200;

/** Serves calls beside clients that send and read as slowly as they can. */
export const slow: Campaign = {
  about: "clients that send byte by byte, read nothing or stall their streams; a round is 40 clients of each kind",
  rounds: 5,
  async run(options) {
    const result = await serveBesideSlow(options, 40);
    const late = Object.entries(result.figures).filter(([name, value]) =>
      name.startsWith("seconds") && value > MAX_SECONDS
    );
    return { ...result, broken: [...result.broken, ...late.map(([name, value]) => `${name}: ${value}`)] };
  },
};

/** @param count the number of clients of each kind */
export async function serveBesideSlow(
  { rounds, progress }: CampaignOptions,
  count: number,
): Promise<CampaignResult> {
  const installation = await installationDirectory(PLUGINS, { limits: LIMITS });
  const server = await Server.start({ ...installation, ...CHOSEN_KEY });
  const wires = new ServerWires(server);
  const broken: string[] = [];
  const seconds: Record<string, number> = {};
  let healthyCalls = 0;
  let slowClients = 0;
  try {
    const token = await server.adminToken();
    const kinds = Object.entries(slowKinds(token));
    for (let round = 0; round < rounds; round++) {
      let left = kinds.length * count;
      const all = Promise.all(kinds.map(async ([name, kind]) => {
        const port = Number(new URL(kind.wire === "http" ? server.url : server.grpcUrl).port);
        const startedAt = performance.now();
        await Promise.all(Array.from({ length: count }, async () => {
          await untilServerEnds(port, kind, INTERVAL_MILLISECONDS);
          left--;
        }));
        seconds[name] = Math.max(seconds[name] ?? 0, (performance.now() - startedAt) / 1000);
      }));
      const healthy = SERVER_WIRES.map(async (wire) => {
        do {
          const { code, reason } = await wires.call(wire, token, HelloWorldService.method.sayHello, { name: "Ada" });
          healthyCalls++;
          if (code !== 200) broken.push(`a call over ${wire} failed: ${code} ${reason}`);
        } while (left > 0);
      });
      await Promise.all([all, ...healthy]);
      slowClients += kinds.length * count;
      progress(`round ${round + 1}: all ${kinds.length * count} slow clients ended, ${healthyCalls} other calls`);
    }
  } finally {
    wires.close();
    if (await server.stop() !== 0) broken.push(`the server failed: ${server.output.slice(-2000)}`);
    await removeInstallation(installation);
  }
  const times = Object.entries(seconds).map(([name, value]) => [`seconds of ${name}`, Math.round(value * 10) / 10]);
  return { figures: { slowClients, healthyCalls, ...Object.fromEntries(times) }, broken };
}
