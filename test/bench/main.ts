import process from "node:process";
import { benchClickHouse } from "./clickhouse.ts";
import { benchGrowing } from "./growing.ts";
import { benchEdge } from "./edge.ts";
import { benchHttp } from "./http.ts";
import { benchLogs } from "./logs.ts";
import { benchNodeLogs } from "./node_logs.ts";
import { benchPeers } from "./peers.ts";
import { benchRemote } from "./remote.ts";
import { benchServices } from "./services.ts";
import { benchStorage } from "./storage.ts";
import { benchTransport } from "./transport.ts";

type Suite = (rounds: number, milliseconds: number, rows: number) => Promise<Record<string, number>>;

const SUITES: Readonly<Record<string, Suite>> = {
  clickhouse: (rounds, _milliseconds, rows) => benchClickHouse(rounds, Math.min(rows, 1_000_000)),
  edge: benchEdge,
  growing: benchGrowing,
  http: benchHttp,
  logs: benchLogs,
  node_logs: benchNodeLogs,
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
  console.error(
    `bench takes one of: ${Object.keys(SUITES).join(", ")} [--json] [--rounds=N] [--milliseconds=N] [--rows=N]`,
  );
  process.exit(2);
}
const figures = await suite(option("rounds", 5), option("milliseconds", 1000), option("rows", 10_000_000));
if (process.argv.includes("--json")) console.log(JSON.stringify(figures));
else for (const [figure, value] of Object.entries(figures)) console.log(`${figure.padEnd(36)} ${value}`);
process.exit(0);

function option(flag: string, fallback: number): number {
  const text = process.argv.find((word) => word.startsWith(`--${flag}=`))?.split("=")[1];
  return text === undefined ? fallback : Number(text);
}
