import { Instances } from "../../harness/instances.ts";
import type { Wire } from "../../harness/wire.ts";
import type { Campaign, CampaignOptions, CampaignResult } from "../campaign.ts";
import { SERVER_WIRES, ServerWires } from "../server_wires.ts";
import { type EndingCaller, WAYS } from "./turned_off.ts";

const PLUGINS = [
  ...["admin", "api_access_token", "node_base", "ns_cluster", "ns_domain_group", "ns_node", "user"],
  "user_access_key",
];
const PROMISED_MILLISECONDS = 1000;
const WATCHED_MILLISECONDS = 1500;
const PAUSE_MILLISECONDS = 25;

/** Ends credentials through one of two instances, and calls both of them over every wire. */
export const keys: Campaign = {
  about: "turns keys, users and nodes off on one of two instances, and calls both over all wires",
  rounds: 120,
  run: endCredentials,
};

/** The calls after the end of a credential. */
interface Seen {
  /** The last accepted call, in milliseconds after the end was acknowledged. */
  last: number;
  /** The number of accepted calls that began later than promised. */
  late: number;
  refused: number;
  calls: number;
}

async function endCredentials({ rounds, progress }: CampaignOptions): Promise<CampaignResult> {
  const broken: string[] = [];
  const all: Seen = { last: 0, late: 0, refused: 0, calls: 0 };
  const ways = Object.entries(WAYS);
  await using instances = await Instances.start(2, PLUGINS);
  const wires = instances.servers.map((server) => new ServerWires(server));
  try {
    for (let round = 0; round < rounds; round++) {
      const [way, create] = ways[round % ways.length]!;
      const caller = await create(instances.servers[round % 2]!, `caller${round}`);
      for (const one of wires) {
        for (const wire of SERVER_WIRES) {
          const { code, reason } = await one.call(wire, caller.token, caller.method, {});
          if (code !== 200) broken.push(`before "${way}", a call over ${wire} failed: ${code} ${reason}`);
        }
      }
      const through = instances.servers[Math.floor(round / ways.length) % 2]!;
      await caller.end(through);
      const endedAt = performance.now();
      const pairs = wires.flatMap((one) => SERVER_WIRES.map((wire) => [one, wire] as const));
      const seen = await Promise.all(pairs.map(([one, wire]) => watch(one, wire, caller, endedAt)));
      for (const { last, late, refused, calls } of seen) {
        all.last = Math.max(all.last, last);
        all.late += late;
        all.refused += refused;
        all.calls += calls;
        if (refused === 0) broken.push(`after "${way}", no call was refused in round ${round}`);
        if (late > 0) broken.push(`after "${way}", ${late} calls were accepted late, until ${last.toFixed(0)} ms`);
      }
      if (round % 10 === 9) progress(`${round + 1} of ${rounds} rounds, last accepted after ${all.last.toFixed(0)} ms`);
    }
  } finally {
    for (const one of wires) one.close();
  }
  const { calls, refused, late, last } = all;
  return { figures: { calls, refused, late, lastAcceptedMilliseconds: Math.round(last) }, broken };
}

/** Calls until some time after the promised end. */
async function watch(wires: ServerWires, wire: Wire, caller: EndingCaller, endedAt: number): Promise<Seen> {
  const seen = { last: 0, late: 0, refused: 0, calls: 0 };
  for (;;) {
    const after = performance.now() - endedAt;
    const { code } = await wires.call(wire, caller.token, caller.method, {});
    seen.calls++;
    if (code === 401) seen.refused++;
    if (code === 200) {
      seen.last = after;
      if (after >= PROMISED_MILLISECONDS) seen.late++;
    }
    if (after >= WATCHED_MILLISECONDS) return seen;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
  }
}
