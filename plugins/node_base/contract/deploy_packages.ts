/** A package of a node program, described by its file name, such as `edge-dns-linux-amd64-v1.2.3.tar.gz`. */
export interface DeployPackage {
  readonly os: string;
  readonly arch: string;
  readonly version: string;
  readonly filename: string;
}

const NAME = /^([a-z0-9]+)-([a-z0-9]+)-v(\d+(?:\.\d+)*)\.(?:zip|tar\.gz)$/;
const PART_BITS = 16n;
const PARTS = 4;

/**
 * Finds the packages of a program among file names.
 *
 * @param program the name of the program, such as `edge-dns`
 * @param filenames the names of the files in a folder; other files are ignored
 *
 * @example
 * ```ts
 * const packages = deployPackages("edge-dns", await host.filenames(call));
 * ```
 */
export function deployPackages(program: string, filenames: readonly string[]): DeployPackage[] {
  return filenames.flatMap((filename) => {
    if (!filename.startsWith(`${program}-`)) return [];
    const [, os, arch, version] = NAME.exec(filename.slice(program.length + 1)) ?? [];
    if (os === undefined || arch === undefined || version === undefined) return [];
    return [{ os, arch, version, filename }];
  });
}

/**
 * Converts a dotted version to a number, so that versions can be compared as numbers.
 *
 * @param version up to four parts from 0 to 65535, the first up to 32767, such as `1.2.3`
 * @returns 0 if the text is not such a version
 *
 * @example
 * ```ts
 * const isOutdated = versionCode(node.version) < versionCode("1.10.0");
 * ```
 */
export function versionCode(version: string): bigint {
  const parts = version.split(".");
  if (parts.length > PARTS || !parts.every((part) => /^\d{1,5}$/.test(part) && Number(part) < 2 ** 16)) return 0n;
  const filled = [...parts, ...Array.from({ length: PARTS - parts.length }, () => "0")];
  // The first part has 15 bits, so that the number fits into a signed 64-bit integer.
  return filled.reduce((code, part) => code << PART_BITS | BigInt(part), 0n) & (2n ** 63n - 1n);
}

/**
 * Returns the package with the highest version, or undefined if there are none.
 *
 * @example
 * ```ts
 * const latest = latestPackage(packages.filter(({ os, arch }) => os === "linux" && arch === "amd64"));
 * ```
 */
export function latestPackage<Package extends DeployPackage>(packages: readonly Package[]): Package | undefined {
  return packages.reduce<Package | undefined>(
    (latest, next) => latest !== undefined && versionCode(latest.version) >= versionCode(next.version) ? latest : next,
    undefined,
  );
}
