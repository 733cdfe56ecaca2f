/** A package of a node program, as its file name tells: `edge-dns-linux-amd64-v1.2.3.zip`. */
export interface DeployPackage {
  readonly os: string;
  readonly arch: string;
  readonly version: string;
  readonly filename: string;
}

const NAME = /^([a-z0-9]+)-([a-z0-9]+)-v(\d+(?:\.\d+)*)\.zip$/;
const PART_BITS = 16n;
const PARTS = 4;

/** The packages of a program (`edge-dns`) among the files of a folder. */
export function deployPackages(program: string, filenames: readonly string[]): DeployPackage[] {
  return filenames.flatMap((filename) => {
    if (!filename.startsWith(`${program}-`)) return [];
    const [, os, arch, version] = NAME.exec(filename.slice(program.length + 1)) ?? [];
    if (os === undefined || arch === undefined || version === undefined) return [];
    return [{ os, arch, version, filename }];
  });
}

/** A dotted version as one number, so that numbers compare as versions do; 0 for what is no version. */
export function versionCode(version: string): bigint {
  const parts = version.split(".");
  if (parts.length > PARTS || !parts.every((part) => /^\d{1,5}$/.test(part) && Number(part) < 2 ** 16)) return 0n;
  const filled = [...parts, ...Array.from({ length: PARTS - parts.length }, () => "0")];
  // the first part has 15 bits, so that SQLite takes the number
  return filled.reduce((code, part) => code << PART_BITS | BigInt(part), 0n) & (2n ** 63n - 1n);
}

/** The package with the highest version. */
export function latestPackage<Package extends DeployPackage>(packages: readonly Package[]): Package | undefined {
  return packages.reduce<Package | undefined>(
    (best, one) => best !== undefined && versionCode(best.version) >= versionCode(one.version) ? best : one,
    undefined,
  );
}
