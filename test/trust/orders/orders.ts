import { fileURLToPath } from "node:url";
import { ServedSite } from "../../plugins/acme_task/served_site.ts";
import { Random } from "../../harness/random.ts";
import type { Campaign, CampaignOptions, CampaignResult } from "../campaign.ts";
import { Figures } from "./figures.ts";
import { KilledOrders } from "./killed_orders.ts";

/** Kills a server again and again while it orders certificates from a provider. */
export const orders: Campaign = {
  about: "kills a server in the middle of orders of certificates by both challenges, and waits for their ends",
  rounds: 50,
  run: killRepeatedly,
};

const MAIN = fileURLToPath(new URL("../clock/jumping_main.ts", import.meta.url));
/** The provider refuses some nonces at any time. */
const REJECTED_NONCES = 5;

async function killRepeatedly({ seed, rounds, progress }: CampaignOptions): Promise<CampaignResult> {
  const figures = new Figures();
  const broken: string[] = [];
  await using site = await ServedSite.open({ rejectedNonces: REJECTED_NONCES });
  const killed = new KilledOrders(site, MAIN, new Random(seed), figures, broken);
  for (let round = 0; round < rounds; round++) {
    progress(`${round} of ${rounds} kills, ${figures.ends.issued} issued, ${broken.length} broken`);
    await killed.orderAndKill(round);
  }
  await killed.end();
  return { figures: figures.all, broken };
}
