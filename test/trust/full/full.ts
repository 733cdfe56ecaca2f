import { mkdirSync } from "node:fs";
import { Random } from "../../harness/random.ts";
import { CHOSEN_KEY, installationDirectory, removeInstallation } from "../../harness/server.ts";
import type { Campaign, CampaignOptions, CampaignResult } from "../campaign.ts";
import { PLUGINS } from "../kills/kinds.ts";
import { FailingInstallation, type OutageFigures } from "./failing_server.ts";
import { mountSmallDisk, outages, unmount } from "./outages.ts";

/** Lets a server meet a full disk, failed syncs, a read-only disk and a lack of descriptors. It needs strace. */
export const full: Campaign = {
  about: "fails the disk of a server under writes: no space, failed syncs, read-only, no descriptors",
  rounds: 50,
  run: meetOutages,
};

async function meetOutages({ seed, rounds, progress }: CampaignOptions): Promise<CampaignResult> {
  const random = new Random(seed);
  const figures: OutageFigures = { outages: 0, refused: 0, withoutResponse: 0, reads: 0, acknowledgedMeanwhile: 0 };
  const broken: string[] = [];
  const environment: Record<string, string> = { ...await installationDirectory(PLUGINS), ...CHOSEN_KEY };
  const data = environment["EDGEHELM_DATA"]!;
  mkdirSync(data, { mode: 0o700 });
  const isMounted = mountSmallDisk(data);
  try {
    const installation = new FailingInstallation(environment, random, figures, broken);
    const all = outages(isMounted ? data : undefined);
    for (let round = 0; round < rounds; round++) {
      const outage = all[round % all.length]!;
      progress(`${round} of ${rounds} outages, now: ${outage.name}`);
      await installation.meet(outage, `round ${round}, ${outage.name}`);
    }
    return { figures: { ...figures, fullDisks: isMounted ? 1 : 0, ...installation.writers.all }, broken };
  } finally {
    if (isMounted) unmount(data);
    await removeInstallation(environment);
  }
}
