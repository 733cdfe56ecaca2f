import { resolve } from "node:path";
import type { BackupSettings as BackupMessage, S3Settings } from "../../../proto/installation_pb.ts";
import { StartupError } from "../../base/startup_error.ts";
import { resolveReference } from "./environment.ts";

/** The place of backups: a folder, or a folder of a bucket. */
export type BackupPlace =
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "s3" } & S3Access & S3Address;

/** The access to an S3-compatible store. */
export interface S3Access {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A bucket with a path in it, which is empty or has no slash at its ends. */
export interface S3Address {
  readonly bucket: string;
  readonly prefix: string;
}

/** The settings of backups on a schedule. */
export interface BackupSettings {
  readonly place: BackupPlace;
  readonly everyHours: number;
  /** The age of the newest backup from which the installation is degraded. */
  readonly maxAgeHours: number;
  readonly keepLast: number;
  readonly keepDaily: number;
  readonly keepWeekly: number;
  readonly checkDays: number;
}

/** The range and the default of each number. */
const NUMBERS = {
  everyHours: { min: 1, max: 168, default: 24 },
  maxAgeHours: { min: 1, max: 1000, default: undefined },
  keepLast: { min: 1, max: 1000, default: 3 },
  keepDaily: { min: 0, max: 1000, default: 7 },
  keepWeekly: { min: 0, max: 1000, default: 4 },
  checkDays: { min: 1, max: 31, default: 7 },
} as const;

/**
 * Reads the settings of backups.
 *
 * @param fromManifest resolves a path that is relative to the manifest
 * @throws StartupError that names the file and the path in it
 */
export function backupSettingsOf(
  manifestPath: string,
  message: BackupMessage | undefined,
  fromManifest: (path: string) => string,
): BackupSettings | undefined {
  if (message === undefined) return undefined;
  const at = `${manifestPath}: backup`;
  const number = (name: keyof typeof NUMBERS) => {
    const { min, max, default: absent } = NUMBERS[name];
    const value = message[name] ?? absent;
    if (value === undefined || (value >= min && value <= max)) return value;
    throw new StartupError(`${at}.${name}: must be ${min} to ${max}, got ${value}`);
  };
  const everyHours = number("everyHours")!;
  const maxAgeHours = number("maxAgeHours") ?? 2 * everyHours;
  if (maxAgeHours <= everyHours) {
    throw new StartupError(`${at}.maxAgeHours: must be more than everyHours, ${everyHours}, got ${maxAgeHours}`);
  }
  return {
    place: placeOf(at, message, fromManifest),
    everyHours,
    maxAgeHours,
    keepLast: number("keepLast")!,
    keepDaily: number("keepDaily")!,
    keepWeekly: number("keepWeekly")!,
    checkDays: number("checkDays")!,
  };
}

function placeOf(at: string, { to, s3 }: BackupMessage, fromManifest: (path: string) => string): BackupPlace {
  if (!to.startsWith("s3:")) {
    if (to === "" || /^[a-z][a-z0-9+.-]*:/.test(to)) {
      throw new StartupError(`${at}.to: must be the path of a folder or begin with s3://, got "${to}"`);
    }
    if (s3 !== undefined) throw new StartupError(`${at}.s3: is for backups to s3://, but backup.to is "${to}"`);
    return { kind: "folder", path: resolve(fromManifest(to)) };
  }
  if (s3 === undefined) throw new StartupError(`${at}.s3: is missing: backup.to is "${to}"`);
  return { kind: "s3", ...s3Address(`${at}.to`, to), ...s3AccessOf(`${at}.s3`, s3) };
}

/**
 * Reads the address of a bucket and a path in it, such as `s3://backups/edgehelm`.
 *
 * @param at what the text is, for errors
 */
export function s3Address(at: string, text: string): S3Address {
  const [scheme, nothing, bucket = "", ...names] = text.split("/");
  const isBucket = scheme === "s3:" && nothing === "" && bucket.length >= 3 && bucket.length <= 63 &&
    /^[a-z0-9.-]+$/.test(bucket) && !/^[.-]/.test(bucket) && !/[.-]$/.test(bucket);
  const path = names.join("/");
  const prefix = path.replace(/\/$/, "");
  const isPath = prefix === "" ||
    prefix.length <= 512 && prefix.split("/").every((name) => /^[A-Za-z0-9._-]+$/.test(name) && !/^\.+$/.test(name));
  if (isBucket && isPath) return { bucket, prefix };
  throw new StartupError(
    `${at}: must be s3://bucket or s3://bucket/path with letters, digits, ".", "_" and "-" in the path, got "${text}"`,
  );
}

function s3AccessOf(
  at: string,
  { endpoint, region = "us-east-1", accessKeyId, secretAccessKey }: S3Settings,
): S3Access {
  if (!/^[a-z0-9-]{1,64}$/.test(region)) {
    throw new StartupError(`${at}.region: must be the name of a region such as us-east-1, got "${region}"`);
  }
  if (accessKeyId === "") throw new StartupError(`${at}.accessKeyId: is missing`);
  // A manifest is shared and copied, so it must not contain the secret itself.
  if (!/^(?:env|file):/.test(secretAccessKey)) {
    throw new StartupError(`${at}.secretAccessKey: must be a reference, "env:NAME" or "file:/path"`);
  }
  return {
    endpoint: endpointOf(at, endpoint ?? `https://s3.${region}.amazonaws.com`),
    region,
    accessKeyId: resolveReference(`${at}.accessKeyId`, accessKeyId),
    secretAccessKey: resolveReference(`${at}.secretAccessKey`, secretAccessKey),
  };
}

function endpointOf(at: string, endpoint: string): string {
  const url = URL.parse(endpoint);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && `${url.pathname}${url.search}${url.hash}` === "/" &&
    url.username === "";
  if (isPlain) return url.origin;
  throw new StartupError(`${at}.endpoint: must be https://host or http://host without a path, got "${endpoint}"`);
}
