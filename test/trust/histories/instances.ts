import { Instances } from "../../harness/instances.ts";
import { Random } from "../../harness/random.ts";
import type { Campaign, CampaignResult } from "../campaign.ts";
import { byTime, type Order } from "./checker.ts";
import { PLUGINS } from "./record_calls.ts";
import { type InstanceEvent, throughReplicas } from "./replica_order.ts";
import { runHistories } from "./run_histories.ts";

const INSTANCES = 2;
const IN_USE = /"message":"replica in use"/;

/** Compares what the clients of two instances see with a model, without replicas and then with them. It needs sqld. */
export const instances: Campaign = {
  about: "compares what clients of two instances on sqld see with a model, without replicas and with them",
  rounds: 1000,
  async run({ seed, rounds, progress }) {
    const random = new Random(seed);
    const runWith = async (settings: object, order: Order<InstanceEvent>): Promise<CampaignResult> => {
      await using started = await Instances.start(INSTANCES, PLUGINS, settings);
      if ("database" in settings) await Promise.all(started.servers.map((server) => server.untilLogged(IN_USE)));
      return await runHistories({ servers: started.servers, random, rounds, progress, order });
    };
    const direct = await runWith({}, byTime);
    const replicas = await runWith({ database: { replica: {} } }, throughReplicas);
    const figures = Object.entries(replicas.figures).map(([name, figure]) => [`${name}WithReplicas`, figure]);
    return {
      figures: { ...direct.figures, ...Object.fromEntries(figures) },
      broken: [...direct.broken, ...replicas.broken.map((text) => `with replicas: ${text}`)],
    };
  },
};
