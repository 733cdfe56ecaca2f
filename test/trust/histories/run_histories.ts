import type { Random } from "../../harness/random.ts";
import type { Server } from "../../harness/server.ts";
import type { CampaignOptions, CampaignResult } from "../campaign.ts";
import { WireCaller } from "../wire_caller.ts";
import { explain, type Order } from "./checker.ts";
import { createCluster, createDomain } from "./record_calls.ts";
import { RecordClient, type SharedHistory } from "./record_client.ts";
import { recordModel } from "./record_model.ts";
import type { InstanceEvent } from "./replica_order.ts";

const CLIENTS = 4;
const CALLS_OF_A_CLIENT = 8;
const AT_ONCE = 4;

/** The instances and clients of histories, and the order in which calls must be explained. */
export interface HistoryOptions extends Pick<CampaignOptions, "rounds" | "progress"> {
  /** The instances, among which the clients are divided. */
  readonly servers: readonly Server[];
  readonly random: Random;
  readonly order: Order<InstanceEvent>;
}

/** Makes histories of concurrent calls, and looks for an order that explains each. */
export async function runHistories(options: HistoryOptions): Promise<CampaignResult> {
  const { servers, random, rounds, progress, order } = options;
  const tokens = await Promise.all(servers.map((server) => server.adminToken()));
  const first = new WireCaller(servers[0]!, tokens[0]!, "http");
  const nsClusterId = await createCluster(first);
  const broken: string[] = [];
  const clients: RecordClient[] = [];
  let [started, explained, overlapping] = [0, 0, 0];

  const report = (...errors: string[]) => {
    broken.push(...errors);
    for (const error of errors) progress(error);
  };
  const makeOneAfterTheOther = async () => {
    const own = Array.from({ length: CLIENTS }, (_, index) => {
      const instance = index % servers.length;
      return new RecordClient(servers[instance]!, tokens[instance]!, index, instance, random);
    });
    clients.push(...own);
    while (started < rounds) {
      const number = started++;
      if (number % 200 === 0) {
        progress(`${number} of ${rounds} histories, ${explained} explained, ${broken.length} not`);
      }
      const name = `h${number}.example.com`;
      const nsDomainId = await createDomain(first, nsClusterId, name);
      const history: SharedHistory = { name, nsDomainId, events: [], ids: new Set() };
      const outcomes = await Promise.allSettled(own.map((client) => client.run(history, CALLS_OF_A_CLIENT)));
      overlapping += overlaps(history.events);
      const errors = outcomes.flatMap((outcome) => outcome.status === "rejected" ? [`${name}: ${outcome.reason}`] : []);
      report(...errors);
      if (errors.length > 0) continue;
      if (explain(recordModel, history.events, order) !== undefined) explained++;
      else report(`${name} has no explanation:\n${history.events.map(textOf).join("\n")}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, makeOneAfterTheOther));
  for (const client of clients) client.close();
  const sums = { calls: 0, repeated: 0, madeTwice: 0, abandoned: 0 };
  for (const { figures } of clients) {
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += figures[name];
  }
  return { figures: { histories: started, explained, ...sums, overlapping }, broken };
}

/** Returns the number of pairs of calls that ran at the same time. */
function overlaps(events: readonly InstanceEvent[]): number {
  let pairs = 0;
  for (const first of events) {
    for (const second of events) if (first.from < second.from && second.from < first.to) pairs++;
  }
  return pairs;
}

function textOf({ client, instance, action, result, from, to }: InstanceEvent): string {
  const { kind, ...fields } = action;
  const times = `${from.toFixed(2)} to ${to.toFixed(2)}`;
  return `  ${times}: client ${client} at ${instance}: ${kind} ${JSON.stringify(fields)}: ${result ?? "no response"}`;
}
