import process from "node:process";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import type { AccessKey } from "../../client/token_source.ts";
import { UsageError } from "./exit_codes.ts";
import { profilesPath, readProfiles, removeProfile, saveProfile } from "./profiles.ts";
import { exchange } from "./session.ts";

const TYPES = ["admin", "user", "dns", "node", "report"] as const;

/**
 * Stores an access key as a profile, after the installation accepted it.
 *
 * @returns lines to print
 * @throws UsageError, or ApiError if the installation refuses the key
 */
export async function login(args: readonly string[]): Promise<string[]> {
  const { values } = parsed(args);
  const { url = "http://127.0.0.1:8080", type = "admin", profile = "default" } = values;
  const accessKeyType = TYPES.find((known) => known === type);
  if (accessKeyType === undefined) throw new UsageError(`--type: must be one of ${TYPES.join(", ")}, got "${type}"`);
  const baseUrl = baseUrlOf(url);
  const id = values.id ?? await question("access key id: ");
  const secret = await secretFrom(values.secret);
  const accessKey: AccessKey = { type: accessKeyType, id, secret };
  const token = await exchange(baseUrl, accessKey);
  await saveProfile(profile, { url: baseUrl, accessKey, token }, { isCurrent: true });
  return [`logged in to ${baseUrl} as ${type} with profile "${profile}", which is kept in ${profilesPath()}`];
}

/**
 * Removes a profile with its secret.
 *
 * @returns lines to print
 */
export async function logout(args: readonly string[]): Promise<string[]> {
  const { profile = (await readProfiles()).current } = parsed(args).values;
  await removeProfile(profile);
  return [`removed profile "${profile}"`];
}

/** Returns a line for each profile. */
export async function listProfiles(): Promise<string[]> {
  const { current, profiles } = await readProfiles();
  const entries = Object.entries(profiles);
  if (entries.length === 0) return ["there are no profiles; create one with: edgehelm login --url <address>"];
  return entries.map(([name, { url, accessKey }]) =>
    `${name === current ? "*" : " "} ${name}  ${url}  ${accessKey.type} ${accessKey.id}`
  );
}

function parsed(args: readonly string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      args: [...args],
      options: { url: text, type: text, id: text, secret: text, profile: { ...text, short: "p" } },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function baseUrlOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`--url: must be an address such as https://api.example.com, got "${text}"`);
  }
  return url.href.endsWith("/") ? url.href.slice(0, -1) : url.href;
}

/** A secret in an argument would be visible to every user of the machine, so a flag names only a file. */
async function secretFrom(flag: string | undefined): Promise<string> {
  if (flag === undefined) return await hiddenQuestion("access key: ");
  const { readFile } = await import("node:fs/promises");
  if (flag === "@-") return await question("");
  if (!flag.startsWith("@")) throw new UsageError("--secret: must be @path, or @- for the standard input");
  return (await readFile(flag.slice(1), "utf8")).trim();
}

async function question(prompt: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await lines.question(prompt)).trim();
  } finally {
    lines.close();
  }
}

/** Asks for a secret without showing what is typed. */
async function hiddenQuestion(prompt: string): Promise<string> {
  if (!process.stdin.isTTY) return await question("");
  process.stderr.write(prompt);
  const { Writable } = await import("node:stream");
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  try {
    return (await lines.question("")).trim();
  } finally {
    lines.close();
    process.stderr.write("\n");
  }
}
