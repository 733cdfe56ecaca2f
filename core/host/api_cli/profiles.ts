import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import type { AccessKey, Token } from "../../client/token_source.ts";
import { hasCode } from "../settings/files.ts";
import { UsageError } from "./exit_codes.ts";
import { configFolder, writePrivately } from "./folders.ts";

/** An installation, and the access key with which to call it. */
export interface Profile {
  readonly url: string;
  readonly accessKey: AccessKey;
  /** The last access token, as long as it lives. */
  readonly token?: Token;
}

/** The content of the file of profiles. */
export interface Profiles {
  /** The profile that is used unless another one is named. */
  readonly current: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

const NONE: Profiles = { current: "default", profiles: {} };

/** Returns the path of the file of profiles. */
export function profilesPath(): string {
  return join(configFolder(), "profiles.json");
}

/**
 * Reads the profiles.
 *
 * @throws UsageError if other users of the machine can read the file, or it is not valid
 */
export async function readProfiles(path = profilesPath()): Promise<Profiles> {
  try {
    const { mode } = await stat(path);
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      throw new UsageError(`other users of this machine can read the secrets in "${path}"; run: chmod 600 "${path}"`);
    }
    return JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    if (hasCode(error, "ENOENT")) return NONE;
    if (error instanceof SyntaxError) throw new UsageError(`"${path}" is not valid JSON: ${error.message}`);
    throw error;
  }
}

/** Stores a profile, and makes it the current one if asked to. */
export async function saveProfile(
  name: string,
  profile: Profile,
  { isCurrent }: { isCurrent: boolean },
): Promise<void> {
  const { current, profiles } = await readProfiles();
  await write({ current: isCurrent ? name : current, profiles: { ...profiles, [name]: profile } });
}

/**
 * Removes a profile.
 *
 * @throws UsageError if there is none of that name
 */
export async function removeProfile(name: string): Promise<void> {
  const { current, profiles } = await readProfiles();
  const { [name]: removed, ...others } = profiles;
  if (removed === undefined) throw noProfile(name, profiles);
  const [first = NONE.current] = Object.keys(others);
  await write({ current: current === name ? first : current, profiles: others });
}

/**
 * Returns the chosen profile: that of the argument, of EDGEHELM_PROFILE, or the current one.
 *
 * @throws UsageError if there is none
 */
export async function chosenProfile(named: string | undefined): Promise<{ name: string; profile: Profile }> {
  const { current, profiles } = await readProfiles();
  const name = named ?? (process.env["EDGEHELM_PROFILE"] || current);
  const profile = profiles[name];
  if (profile === undefined) throw noProfile(name, profiles);
  return { name, profile };
}

function noProfile(name: string, profiles: Profiles["profiles"]): UsageError {
  const names = Object.keys(profiles);
  const known = names.length === 0 ? "there are none yet" : `known profiles: ${names.join(", ")}`;
  return new UsageError(`profile "${name}" does not exist; ${known}. Create one with: edgehelm login --url <address>`);
}

async function write(profiles: Profiles): Promise<void> {
  await writePrivately(profilesPath(), `${JSON.stringify(profiles, undefined, 2)}\n`);
}
