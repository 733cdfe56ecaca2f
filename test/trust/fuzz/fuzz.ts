import type { Campaign, CampaignOptions, CampaignResult } from "../campaign.ts";
import { fillInstallation, type TargetInstallation } from "../target/installation.ts";
import { Target } from "../target/target.ts";
import { sendAll, sendAlone } from "./sender.ts";
import { Tally } from "./tally.ts";

/** Requests delete what they refer to, so that each batch begins with a new copy of the database. */
const BATCH = 10_000;

/**
 * Sends malformed requests of all operations over all wires. Requests are numbered; a run from one number repeats the
 * same requests, and with the whole batch before it the same state.
 */
export const fuzz: Campaign = {
  about: "sends malformed requests of all operations over HTTP JSON, gRPC, Connect and gRPC-Web",
  rounds: 1_000_000,
  async run(options) {
    await using installation = await fillInstallation();
    return await fuzzInstallation(installation, options);
  },
};

async function fuzzInstallation(
  installation: TargetInstallation,
  { seed, from = 0, rounds, progress }: CampaignOptions,
): Promise<CampaignResult> {
  const tally = new Tally();
  const end = from + rounds;
  const started = performance.now();
  for (let first = from; first < end; first += BATCH - first % BATCH) {
    const last = Math.min(end, first + BATCH - first % BATCH);
    const reported = tally.broken.length;
    await fuzzBatch(installation, tally, seed, first, last);
    for (const line of tally.broken.slice(reported)) progress(line);
    const { requests, internal, deaths, hangs } = tally.figures;
    const seconds = Math.round((performance.now() - started) / 1000);
    progress(
      `${requests} of ${rounds} requests after ${seconds} s: ${internal} internal, ${deaths} deaths, ${hangs} hangs`,
    );
  }
  return { figures: { operations: installation.operations.length, ...tally.figures }, broken: tally.broken };
}

async function fuzzBatch(
  installation: TargetInstallation,
  tally: Tally,
  seed: number,
  first: number,
  end: number,
): Promise<void> {
  const target = await Target.start(installation);
  try {
    const { operations, callers } = installation;
    const scope = { operations, callers, tokens: target.tokens };
    const slow = await sendAll(target, scope, tally, seed, first, end);
    if (target.isAlive) await sendAlone(target, slow, tally);
    else tally.death(target.loggedErrors.slice(-5).join("\n"));
  } finally {
    await target.stop();
  }
  tally.logged(target.loggedErrors);
}
