import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { StartupError } from "../../base/startup_error.ts";
import { isPackage, type PluginLocation } from "./resolve_plugin.ts";

/** The content of a package of a plugin when an operator accepted it. */
export interface AcceptedPackage {
  readonly version: string;
  /** `sha512-` and base64, as package managers write hashes. */
  readonly integrity: string;
}

/**
 * Returns the version of a package and the hash of its files with their paths. Packages that it depends on are not part
 * of it: lock files of package managers are for those.
 */
export async function packageContent(folder: string): Promise<AcceptedPackage> {
  const hash = createHash("sha512");
  for (const path of await filesOf(folder)) {
    const bytes = await readFile(join(folder, path));
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  return { version: String(version), integrity: `sha512-${hash.digest("base64")}` };
}

/** Returns the paths of the files of a package, sorted, without those of its dependencies. */
async function filesOf(folder: string, below = ""): Promise<string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true });
  const paths = await Promise.all(entries.map(async (entry) => {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : await filesOf(folder, path);
    return entry.isFile() ? [path] : [];
  }));
  return paths.flat().sort((one, other) => one < other ? -1 : 1);
}

/**
 * Checks that a package contains what it contained when it was accepted.
 *
 * @throws StartupError that says what to do if it does not
 */
export async function requireAccepted(
  use: string,
  { folder }: PluginLocation,
  accepted: AcceptedPackage | undefined,
): Promise<void> {
  if (accepted === undefined) return;
  if (!isPackage(use)) throw new StartupError(`"${use}": integrity is for packages, which begin with npm: or jsr:`);
  const found = await packageContent(folder);
  if (found.integrity === accepted.integrity) return;
  const versions = found.version === accepted.version
    ? `version ${found.version} with other files`
    : `version ${found.version} in place of ${accepted.version}`;
  throw new StartupError(
    `"${use}": ${folder} is not what was added to the manifest: it is ${versions}. ` +
      `Install what was added again, or accept what is there with: plugin update ${use}`,
  );
}
