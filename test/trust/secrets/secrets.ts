import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Random } from "../../harness/random.ts";
import { CHOSEN_KEY, installationDirectory, removeInstallation, runToEnd, Server } from "../../harness/server.ts";
import type { Campaign, CampaignOptions, CampaignResult } from "../campaign.ts";
import { ServerWires } from "../server_wires.ts";
import { Needles } from "./needles.ts";
import { createObjects } from "./objects.ts";
import { type Findings, searchFolder, searchTables, searchText } from "./places.ts";
import { type Planting, plantings } from "./plantings.ts";
import { allMethods, SecretSender, type SendCounts } from "./senders.ts";

const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";
const CORE_LENGTH = 24;

/** Sends secrets to a full installation, then looks for them in everything that it wrote. */
export const secrets: Campaign = {
  about: "plants secrets over all wires, in good and bad calls, and looks for them in database, backups and logs",
  rounds: 1,
  async run(options) {
    const all: Record<string, number> = {};
    const broken: string[] = [];
    const methods = await allMethods();
    for (let round = 0; round < options.rounds; round++) {
      const { figures, broken: lines } = await plantAndLook({ ...options, seed: options.seed + round }, methods);
      for (const [name, value] of Object.entries(figures)) all[name] = (all[name] ?? 0) + value;
      broken.push(...lines);
    }
    return { figures: all, broken };
  },
};

/** @param every 1 for all secrets that callers choose, 2 for each second one, and so on */
export async function plantAndLook(
  { seed, progress }: CampaignOptions,
  methods: Awaited<ReturnType<typeof allMethods>>,
  every = 1,
): Promise<CampaignResult> {
  const random = new Random(seed);
  const newCore = () => Array.from({ length: CORE_LENGTH }, () => ALPHABET[random.below(ALPHABET.length)]).join("");
  const { plugins } = JSON.parse(readFileSync(new URL("../../../plugins/manifest.json", import.meta.url), "utf8"));
  const uses: string[] = plugins.map(({ use }: { use: string }) => use);
  const backup = { to: "backups" };
  const adminSecret = `${newCore()}${newCore()}`.slice(0, 32);
  const installationKey = Array.from({ length: 64 }, () => random.below(16).toString(16)).join("");
  const environment = {
    ...await installationDirectory(uses, { backup, limits: { loginFailures: 1000, loginFailuresPerAddress: 10_000 } }),
    ...{ EDGEHELM_LOG: "debug", EDGEHELM_KEY: installationKey },
    ...{ ...CHOSEN_KEY, EDGEHELM_ADMIN_ACCESS_KEY: adminSecret },
  };
  const needles = new Needles();
  needles.add("secret of the first access key", adminSecret);
  needles.add("installation key", installationKey);
  const control = new Needles();
  const findings: Findings = { found: [], bytes: 0 };
  const controls: Findings = { found: [], bytes: 0 };
  try {
    const server = await Server.start(environment);
    const sent = await plant(server, adminSecret, needles, control, newCore, methods, every).finally(() =>
      server.stop()
    );
    progress(
      `${needles.size} secrets in ${sent.calls} calls, ${sent.succeeded} of which succeeded`,
    );
    progress("looking for them");
    searchText("log", server.output, needles, findings);
    await makeBackup(environment);
    await look(environment, needles, findings);
    await look(environment, control, controls);
    const broken = [
      ...findings.found,
      ...[...sent.refused].map(([name, error]) => `${name} was not planted: ${error}`),
    ];
    if (controls.found.length < 3) {
      broken.push(`a name that is no secret was found only in ${controls.found.join(", ")}`);
    }
    const { calls, succeeded } = sent;
    const figures = { planted: needles.size, calls, succeeded, found: findings.found.length, bytes: findings.bytes };
    return { figures, broken };
  } finally {
    await removeInstallation(environment);
  }
}

/** Sends all secrets, then what the server says about its calls, and makes a backup. */
async function plant(
  server: Server,
  adminSecret: string,
  needles: Needles,
  control: Needles,
  newCore: () => string,
  methods: Awaited<ReturnType<typeof allMethods>>,
  every: number,
): Promise<SendCounts> {
  const token = await server.token(CHOSEN_KEY.EDGEHELM_ADMIN_ACCESS_KEY_ID, adminSecret);
  const { objects, nodeToken } = await createObjects(server, token, needles);
  const wires = new ServerWires(server);
  const sender = new SecretSender(server, wires, methods, { admin: token, node: nodeToken });
  try {
    const publicName = newCore();
    control.add("name of a group", publicName);
    await server.postWith(token, "/NSDomainGroupService/createNSDomainGroup", { name: publicName });
    const list: readonly Planting[] = plantings(objects, newCore);
    for (const planting of list.filter((_, index) => index % every === 0)) {
      needles.add(planting.name, planting.core);
      await sender.send(planting);
    }
    const misplaced = newCore();
    needles.add("a secret in the wrong place", misplaced);
    await sender.misplace(misplaced);
  } finally {
    wires.close();
  }
  const metrics: Findings = { found: [], bytes: 0 };
  searchText("metrics", await server.metrics(), needles, metrics);
  const { data } = await server.postWith(token, "/LogService/listLogs", { size: 1000 });
  searchText("list of audit records", JSON.stringify(data), needles, metrics);
  for (const line of metrics.found) sender.counts.refused.set(line, "shown");
  return sender.counts;
}

async function makeBackup(environment: Record<string, string>): Promise<void> {
  for (const args of [["backup", plainBackup(environment)], ["backups", "make"]]) {
    const { code, output } = await runToEnd(args, environment);
    if (code !== 0) throw new Error(`no backup: ${output}`);
  }
}

/** The backup without encryption, as one before an upgrade is. */
function plainBackup(environment: Record<string, string>): string {
  return join(environment["EDGEHELM_DATA"]!, "..", "plain.backup");
}

/** Looks into all files, those of backups included, and into the tables. */
async function look(environment: Record<string, string>, needles: Needles, findings: Findings): Promise<void> {
  const data = environment["EDGEHELM_DATA"]!;
  await searchFolder(join(data, ".."), needles, findings);
  searchTables(join(data, "edgehelm.db"), needles, findings);
}
