import { Random } from "../../harness/random.ts";
import { CHOSEN_KEY, installationDirectory, removeInstallation, Server } from "../../harness/server.ts";
import type { Campaign } from "../campaign.ts";
import { byTime } from "./checker.ts";
import { PLUGINS } from "./record_calls.ts";
import { runHistories } from "./run_histories.ts";

/** Compares what concurrent clients see with a model in which calls run one after the other. */
export const histories: Campaign = {
  about: "compares what concurrent clients see over every wire with a model; a round is a history of 32 calls",
  rounds: 10_000,
  async run({ seed, rounds, progress }) {
    const environment = { ...await installationDirectory(PLUGINS), ...CHOSEN_KEY };
    const server = await Server.start(environment);
    try {
      return await runHistories({ servers: [server], random: new Random(seed), rounds, progress, order: byTime });
    } finally {
      server.kill();
      await server.ended;
      await removeInstallation(environment);
    }
  },
};
