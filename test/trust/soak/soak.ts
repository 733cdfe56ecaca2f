import { readFileSync } from "node:fs";
import { Random } from "../../harness/random.ts";
import { CHOSEN_KEY, installationDirectory, KEY, removeInstallation, runToEnd, Server } from "../../harness/server.ts";
import type { Campaign, CampaignOptions, CampaignResult } from "../campaign.ts";
import { MixedLoad } from "./mixed_load.ts";
import { createObjects } from "./objects.ts";
import { type ProcessSample, sampleProcess, slopeOf } from "./process_samples.ts";

const CALLS_PER_SECOND = 60;
const BACKUP_EVERY = 10;
const MAX_SLOPE = 1;
/** A connection that was idle may be closed by the server just when the client uses it again. */
const MAX_NO_RESPONSE_RATIO = 1e-5;
/** Streams and connections come and go, so that the number of descriptors varies around its mean. */
const MAX_MORE_DESCRIPTORS = 10;

/** Serves the calls of a day for two hours, and watches the memory and the descriptors of the process. */
export const soak: Campaign = {
  about: "mixed load over all wires on a full installation, with its memory and descriptors; a round is a minute",
  rounds: 120,
  async run(options) {
    return await withFullInstallation((server, environment) => soakFor(server, environment, options));
  },
};

/** Runs something with a server of all plugins, then stops it. */
export async function withFullInstallation<Result>(
  run: (server: Server, environment: Record<string, string>) => Promise<Result>,
): Promise<Result> {
  const { plugins } = JSON.parse(readFileSync(new URL("../../../plugins/manifest.json", import.meta.url), "utf8"));
  const uses: string[] = plugins.map(({ use }: { use: string }) => use);
  const installation = { ...await installationDirectory(uses, { backup: { to: "backups" } }), ...CHOSEN_KEY };
  const server = await Server.start(installation);
  try {
    return await run(server, installation);
  } finally {
    await server.stop();
    await removeInstallation(installation);
  }
}

async function soakFor(
  server: Server,
  environment: Record<string, string>,
  { seed, rounds, progress }: CampaignOptions,
): Promise<CampaignResult> {
  const load = new MixedLoad(server, await createObjects(server, KEY), new Random(seed));
  const samples: ProcessSample[] = [];
  const broken: string[] = [];
  let hasDied = false;
  void server.ended.then(() => hasDied = true);
  let isOver = false;
  const running = load.run(CALLS_PER_SECOND, () => isOver || hasDied);
  const startedAt = performance.now();
  for (let minute = 1; minute <= rounds && !hasDied; minute++) {
    const left = startedAt + minute * 60_000 - performance.now();
    await Promise.race([server.ended, new Promise((resolve) => setTimeout(resolve, Math.max(0, left)))]);
    if (hasDied) break;
    const sample = sampleProcess(server.pid, minute);
    samples.push(sample);
    progress(
      `minute ${minute}: ${sample.residentMegabytes.toFixed(1)} MB resident, ` +
        `${sample.anonymousMegabytes.toFixed(1)} MB of it anonymous, ${sample.descriptors} descriptors, ` +
        `${load.calls} calls, ${load.internal} internal errors, ${load.noResponse} without a response, ` +
        `unexpected: ${JSON.stringify(Object.fromEntries(load.unexpected))}`,
    );
    if (minute % BACKUP_EVERY !== 0) continue;
    const { code, output } = await runToEnd(["backups", "make"], environment);
    if (code !== 0) broken.push(`a backup failed: ${output}`);
  }
  isOver = true;
  await running;
  load.close();
  if (hasDied) broken.push(`the server ended after ${samples.length} minutes: ${server.output.slice(-2000)}`);
  if (load.internal > 0) broken.push(`${load.internal} internal errors`);
  if (load.noResponse > 1 + load.calls * MAX_NO_RESPONSE_RATIO) {
    broken.push(`${load.noResponse} calls without a response`);
  }
  for (const [text, count] of load.unexpected) broken.push(`${count} times ${text}`);
  return { figures: figuresOf(samples, load, broken), broken };
}

/** The first half is the time in which caches, compiled code and the pages of the database fill. */
function figuresOf(samples: readonly ProcessSample[], load: MixedLoad, broken: string[]): Record<string, number> {
  const half = samples.slice(samples.length >> 1);
  const slope = slopeOf(half.map(({ minute, residentMegabytes }) => [minute, residentMegabytes]));
  const anonymousSlope = slopeOf(half.map(({ minute, anonymousMegabytes }) => [minute, anonymousMegabytes]));
  const quarter = half.length >> 1;
  const mean = (some: readonly ProcessSample[]) =>
    some.reduce((sum, { descriptors }) => sum + descriptors, 0) / some.length;
  const moreDescriptors = mean(half.slice(quarter)) - mean(half.slice(0, quarter));
  if (slope >= MAX_SLOPE) broken.push(`memory grew by ${slope.toFixed(2)} MB a minute`);
  if (moreDescriptors > MAX_MORE_DESCRIPTORS) broken.push(`${moreDescriptors.toFixed(0)} more descriptors`);
  return {
    calls: load.calls,
    internal: load.internal,
    noResponse: load.noResponse,
    megabytesPerMinute: rounded(slope),
    anonymousMegabytesPerMinute: rounded(anonymousSlope),
    residentMegabytes: rounded(samples.at(-1)?.residentMegabytes ?? 0),
    moreDescriptors: rounded(moreDescriptors),
    maxDescriptors: Math.max(0, ...samples.map(({ descriptors }) => descriptors)),
  };
}

const rounded = (value: number) => Math.round(value * 1000) / 1000;
