import { Random } from "../../harness/random.ts";
import type { Campaign, CampaignOptions, CampaignResult } from "../campaign.ts";
import { Figures } from "./figures.ts";
import { InstallSite } from "./install_site.ts";
import { KilledInstalls } from "./killed_installs.ts";

/** Kills a server again and again while it installs nodes over SSH. */
export const installs: Campaign = {
  about: "kills a server at the steps of installations of DNS and edge nodes over SSH, and waits for their ends",
  rounds: 50,
  run: killRepeatedly,
};

async function killRepeatedly({ seed, rounds, progress }: CampaignOptions): Promise<CampaignResult> {
  const figures = new Figures();
  const broken: string[] = [];
  await using site = await InstallSite.open();
  const killed = new KilledInstalls(site, new Random(seed), figures, broken);
  for (let round = 0; round < rounds; round++) {
    progress(`${round} of ${rounds} kills, ${figures.ends.installedAgain} installed again, ${broken.length} broken`);
    await killed.installAndKill(round);
  }
  await site.connect();
  if (await site.server.stop() !== 0) broken.push("the last server ended with an error");
  return { figures: figures.all, broken };
}
