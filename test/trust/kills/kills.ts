import { Random } from "../../harness/random.ts";
import { CHOSEN_KEY, installationDirectory, removeInstallation } from "../../harness/server.ts";
import type { Campaign, CampaignOptions, CampaignResult } from "../campaign.ts";
import { Figures } from "./figures.ts";
import { KilledInstallation } from "./killed_installation.ts";
import { PLUGINS } from "./kinds.ts";

/** Few, because the checks of each round read the whole database. */
const ROUNDS_OF_AN_INSTALLATION = 100;

/** Kills a server again and again while clients create, update, delete and pay over every wire. */
export const kills: Campaign = {
  about: "kills a server under acknowledged writes over every wire, and repeats those without a response",
  rounds: 1000,
  run: killRepeatedly,
};

async function killRepeatedly({ seed, rounds, progress }: CampaignOptions): Promise<CampaignResult> {
  const random = new Random(seed);
  const figures = new Figures();
  const broken: string[] = [];
  for (let done = 0; done < rounds; done += ROUNDS_OF_AN_INSTALLATION) {
    const environment = { ...await installationDirectory(PLUGINS), ...CHOSEN_KEY };
    try {
      const installation = new KilledInstallation(environment, random, figures, broken);
      const end = Math.min(rounds, done + ROUNDS_OF_AN_INSTALLATION);
      for (let round = done; round < end; round++) {
        if (round % 10 === 0) {
          const { acknowledged } = figures.acknowledged;
          progress(`${round} of ${rounds} kills, ${acknowledged} acknowledgements, ${broken.length} broken`);
        }
        await installation.writeAndKill(`round ${round}`);
      }
      await installation.end(`round ${end}`);
    } finally {
      await removeInstallation(environment);
    }
  }
  return { figures: figures.all, broken };
}
