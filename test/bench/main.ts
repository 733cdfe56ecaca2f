import process from "node:process";
import { benchClickHouse } from "./clickhouse.ts";
import { benchHttp } from "./http.ts";
import { benchPeers } from "./peers.ts";
import { benchRemote } from "./remote.ts";
import { benchServices } from "./services.ts";
import { benchStorage } from "./storage.ts";
import { benchTransport } from "./transport.ts";

const SUITES: Readonly<Record<string, (rounds: number, milliseconds: number) => Promise<Record<string, number>>>> = {
  clickhouse: (rounds) => benchClickHouse(rounds, option("rows", 1_000_000)),
  http: benchHttp,
  peers: benchPeers,
  remote: benchRemote,
  services: benchServices,
  storage: benchStorage,
  transport: benchTransport,
};

const words = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const [name = ""] = words;
const suite = SUITES[name];
if (suite === undefined) {
  console.error(`bench takes one of: ${Object.keys(SUITES).join(", ")} [--json] [--rounds=N] [--milliseconds=N]`);
  process.exit(2);
}
const figures = await suite(option("rounds", 5), option("milliseconds", 1000));
if (process.argv.includes("--json")) console.log(JSON.stringify(figures));
else for (const [figure, value] of Object.entries(figures)) console.log(`${figure.padEnd(36)} ${value}`);
process.exit(0);

function option(flag: string, fallback: number): number {
  const text = process.argv.find((word) => word.startsWith(`--${flag}=`))?.split("=")[1];
  return text === undefined ? fallback : Number(text);
}
