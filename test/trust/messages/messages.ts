import { Random } from "../../harness/random.ts";
import type { Campaign, CampaignOptions, CampaignResult } from "../campaign.ts";
import { BurstSite } from "./burst_site.ts";
import { Figures } from "./figures.ts";
import { KilledBurst } from "./killed_burst.ts";

/** Kills a server again and again while it sends bursts of messages. */
export const messages: Campaign = {
  about: "kills a server in the middle of bursts of 1,000 messages by web hook and mail, and counts what arrives",
  rounds: 200,
  run: killRepeatedly,
};

const MAX_MESSAGES = 1000;
const MESSAGES_OF_A_KILL = 100;
const MAX_KILLS = MAX_MESSAGES / MESSAGES_OF_A_KILL;

/** A round is a kill; a burst has up to ten of them. */
async function killRepeatedly({ seed, rounds, progress }: CampaignOptions): Promise<CampaignResult> {
  const figures = new Figures();
  const broken: string[] = [];
  const random = new Random(seed);
  await using site = await BurstSite.open();
  for (let left = rounds; left > 0; left -= MAX_KILLS) {
    progress(`${figures.kills} of ${rounds} kills, ${figures.messages.webHooks} web hooks, ${broken.length} broken`);
    const kills = Math.min(left, MAX_KILLS);
    await new KilledBurst(site, random, figures, broken).send(kills * MESSAGES_OF_A_KILL, kills);
  }
  broken.push(...site.hooks.wrong);
  if (await site.server.stop() !== 0) broken.push("the last server ended with an error");
  return { figures: figures.all, broken };
}
