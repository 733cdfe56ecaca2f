import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import process from "node:process";

/** These are the settings of an agent. The installation over SSH writes the file; all else has defaults. */
export interface Settings {
  /** The addresses of the API, each a URL without a path. */
  readonly endpoints: readonly string[];
  readonly nodeId: string;
  readonly secret: string;
  /** The directory that the agent writes to. It outlives upgrades. */
  readonly stateDirectory: string;
  readonly knotc: string;
  readonly knotSocket: string;
  /** The pause between two health checks of an address. */
  readonly checkMilliseconds: number;
  readonly keymgr: string;
  /** The directory of the KASP database of Knot; empty for the one that its configuration names. */
  readonly kaspDirectory: string;
  /** The directory of the rules of routes that Knot reads; empty for one beside its databases. */
  readonly routesDirectory: string;
  /** The path of a database of countries in MaxMind's format; empty for none. */
  readonly countries: string;
  /** The address at which the metrics are served, `127.0.0.1:9100`; empty for none. */
  readonly metrics: string;
  /** The directory of the socket at which Knot reports queries; empty to count none. */
  readonly queries: string;
  /** The interval at which statistics of queries are uploaded. */
  readonly uploadSeconds: number;
}

/** An error of the settings, with a text for the operator. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

const FILE = "configs/api.yaml";
const DEFAULT_UPLOAD_SECONDS = 60;
const DEFAULT_CHECK_SECONDS = 10;
const [MIN_SECONDS, MAX_SECONDS] = [0.1, 3600];
const DEFAULT_SOCKET = "/run/knot/knot.sock";

/** Reads `configs/api.yaml` in a directory, and the environment. */
export function readSettings(directory: string, env: Readonly<Record<string, string | undefined>>): Settings {
  const path = join(directory, FILE);
  if (!existsSync(path)) throw new SettingsError(`"${path}" does not exist`);
  const text = readFileSync(path, "utf8");
  const endpoints = valueOf(text, "rpc.endpoints");
  const [nodeId, secret] = [valueOf(text, "nodeId"), valueOf(text, "secret")];
  if (!Array.isArray(endpoints) || endpoints.length === 0 || !endpoints.every((one) => URL.canParse(String(one)))) {
    throw new SettingsError(`rpc.endpoints of "${path}" must be a list of addresses`);
  }
  if (typeof nodeId !== "string" || typeof secret !== "string") {
    throw new SettingsError(`"${path}" must have nodeId and secret`);
  }
  const knotSocket = env["EDGE_DNS_KNOT_SOCKET"] || DEFAULT_SOCKET;
  const queries = env["EDGE_DNS_QUERIES"] || dirname(knotSocket);
  return {
    endpoints: endpoints.map((one) => new URL(String(one)).origin),
    nodeId,
    secret,
    stateDirectory: env["EDGE_DNS_STATE"] || defaultState(directory),
    knotc: env["EDGE_DNS_KNOTC"] || "knotc",
    knotSocket,
    checkMilliseconds: secondsOf("EDGE_DNS_CHECK_SECONDS", env["EDGE_DNS_CHECK_SECONDS"], DEFAULT_CHECK_SECONDS) * 1000,
    keymgr: env["EDGE_DNS_KEYMGR"] || "keymgr",
    kaspDirectory: env["EDGE_DNS_KASP"] || "",
    routesDirectory: env["EDGE_DNS_ROUTES"] || "",
    countries: env["EDGE_DNS_COUNTRIES"] || "",
    metrics: env["EDGE_DNS_METRICS"] || "",
    queries: queries === "off" ? "" : queries,
    uploadSeconds: secondsOf("EDGE_DNS_UPLOAD_SECONDS", env["EDGE_DNS_UPLOAD_SECONDS"], DEFAULT_UPLOAD_SECONDS),
  };
}

function secondsOf(name: string, text: string | undefined, absent: number): number {
  const seconds = text === undefined || text === "" ? absent : Number(text);
  if (seconds >= MIN_SECONDS && seconds <= MAX_SECONDS) return seconds;
  throw new SettingsError(`${name} must be ${MIN_SECONDS} to ${MAX_SECONDS} seconds, got "${text}"`);
}

export function settingsOfProcess(): Settings {
  return readSettings(process.cwd(), process.env);
}

/** Values are JSON, each on a line of its own, which is YAML as well. */
function valueOf(text: string, name: string): unknown {
  for (const line of text.split("\n")) {
    if (!line.startsWith(`${name}:`)) continue;
    const value = line.slice(name.length + 1).trim();
    try {
      return JSON.parse(value);
    } catch {
      return value;
    }
  }
  return undefined;
}

/** An installed program runs in `<root>/releases/<release>`, which the next upgrade removes. */
function defaultState(directory: string): string {
  const releases = dirname(resolve(directory));
  return basename(releases) === "releases" ? join(dirname(releases), "state") : join(directory, "state");
}
