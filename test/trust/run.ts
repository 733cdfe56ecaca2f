import process from "node:process";
import type { Campaign } from "./campaign.ts";
import { clock } from "./clock/clock.ts";
import { corrupt } from "./corrupt.ts";
import { full } from "./full/full.ts";
import { fuzz } from "./fuzz/fuzz.ts";
import { histories } from "./histories/histories.ts";
import { instances } from "./histories/instances.ts";
import { idle } from "./idle/idle.ts";
import { injections } from "./injections/injections.ts";
import { installs } from "./installs/installs.ts";
import { keys } from "./keys/keys.ts";
import { kills } from "./kills/kills.ts";
import { messages } from "./messages/messages.ts";
import { migrate } from "./migrate.ts";
import { orders } from "./orders/orders.ts";
import { secrets } from "./secrets/secrets.ts";
import { slow } from "./slow/slow.ts";
import { soak } from "./soak/soak.ts";
import { wal } from "./wal.ts";
import { zones } from "./zones/zones.ts";

// Attacks what the installation promises: `deno task trust <name> [--rounds N] [--seed N] [--from N]`. Prints
// its figures as JSON, and exits with 1 if a promise was broken.
const CAMPAIGNS: Readonly<Record<string, Campaign>> = {
  clock,
  corrupt,
  full,
  fuzz,
  histories,
  idle,
  injections,
  installs,
  instances,
  keys,
  kills,
  messages,
  migrate,
  orders,
  secrets,
  slow,
  soak,
  wal,
  zones,
};
const MAX_SHOWN = 20;

const [name = "", ...args] = process.argv.slice(2);
const campaign = Object.hasOwn(CAMPAIGNS, name) ? CAMPAIGNS[name] : undefined;
if (campaign === undefined || args.length % 2 > 0) usage();
const seed = option("--seed", 1);
const rounds = option("--rounds", campaign.rounds);
const from = option("--from", 0);
const { figures, broken } = await campaign.run({ seed, rounds, from, progress: (text) => console.error(text) });
for (const line of broken.slice(0, MAX_SHOWN)) console.error(line);
console.log(JSON.stringify({ campaign: name, seed, rounds, ...figures, broken: broken.length }));
process.exit(broken.length === 0 ? 0 : 1);

function usage(): never {
  console.error("usage: deno task trust <name> [--rounds N] [--seed N] [--from N], with one of these names:");
  for (const [name, { about, rounds }] of Object.entries(CAMPAIGNS)) {
    console.error(`  ${name.padEnd(10)} ${about}; ${rounds} rounds`);
  }
  return process.exit(2);
}

function option(flag: string, fallback: number): number {
  const at = args.indexOf(flag);
  if (at < 0) return fallback;
  const value = Number(args[at + 1]);
  if (Number.isSafeInteger(value) && (value > 0 || flag === "--from" && value === 0)) return value;
  console.error(`${flag} must be a positive integer, got "${args[at + 1]}"`);
  return process.exit(2);
}
