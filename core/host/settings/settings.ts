import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "@bufbuild/protobuf";
import {
  type AuditLogSettings,
  type Installation,
  InstallationSchema,
  type LimitSettings,
  type ReplicaSettings,
} from "../../../proto/installation_pb.ts";
import { RpcError } from "../../base/errors.ts";
import type { ChosenAccessKey } from "../../plugin_api/extension_points.ts";
import { jsonCodec } from "../../protobuf/json/codec.ts";
import { parseJson } from "../../protobuf/json/parse.ts";
import { type Limits, readLimits } from "../../base/limits.ts";
import { outboundRules, type OutboundSettings } from "../../outbound/settings.ts";
import { type AuditSettings, readAuditSettings } from "../../calls/audit/audit.ts";
import { isLogLevel, LOG_LEVELS, type LogLevel } from "../../base/log.ts";
import { StartupError } from "../../base/startup_error.ts";
import { isTimeZone } from "../../fields/time_zone.ts";
import { type BackupSettings, backupSettingsOf } from "./backup_settings.ts";
import { type Environment, readSecretFile, resolveReference } from "./environment.ts";

/** The root folder of the project or the package. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");

/** The settings of a deployment: the installation manifest, overridden by the environment, with defaults applied. */
export interface Settings {
  readonly manifestPath: string;
  readonly dataDirectory: string;
  readonly http: {
    readonly host: string;
    readonly port: number;
    readonly errorStatus: "ok" | "mirror";
    readonly behindProxy: boolean;
    readonly corsOrigins: readonly string[];
    readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
    /** True if listeners may use plain text on addresses that other machines reach. */
    readonly plaintext: boolean;
  };
  readonly grpc: { readonly host: string; readonly port: number };
  /** Undefined if metrics are not served. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
  readonly database: {
    readonly url: string;
    readonly token: string | undefined;
    /** Undefined if no local replica is configured. */
    readonly replica: { readonly maxAgeMilliseconds: number } | undefined;
  };
  readonly tokens: { readonly lifetimeSeconds: number; readonly rotateDays: number };
  readonly audit: AuditSettings;
  readonly limits: Limits;
  readonly outbound: OutboundSettings;
  readonly logLevel: LogLevel;
  /** A name of the IANA database. */
  readonly timeZone: string;
  readonly stop: { readonly graceMilliseconds: number; readonly drainMilliseconds: number };
  readonly plugins: readonly {
    readonly use: string;
    readonly config: JsonObject | undefined;
    /** True if it does not run. */
    readonly disabled: boolean;
    /** The package that was accepted; undefined if its content is not checked. */
    readonly accepted?: { readonly version: string; readonly integrity: string } | undefined;
  }[];
  readonly chosenAccessKey: ChosenAccessKey | undefined;
  /** Undefined if no backups are made on a schedule. */
  readonly backup: BackupSettings | undefined;
}

const codec = jsonCodec(InstallationSchema, { unknownFields: "refuse" });

/**
 * Reads the settings from the environment and the installation manifest.
 *
 * @throws StartupError that names the variable, or the file and the path in it
 */
export async function readSettings(environment: Environment): Promise<Settings> {
  const manifestPath = resolve(environment.EDGEHELM_MANIFEST ?? resolve(ROOT, "plugins/manifest.json"));
  const manifest = await readManifest(manifestPath);
  const { http, grpc, metrics, database, tokens, audit, limits, log, plugins, stop, timeZone, outbound, backup } =
    manifest;
  const { tls } = http ?? {};
  const fromManifest = (path: string) => resolve(dirname(manifestPath), path);
  return {
    manifestPath,
    dataDirectory: resolve(environment.EDGEHELM_DATA ?? "data"),
    http: {
      host: http?.host ?? "127.0.0.1",
      port: portOf(environment.EDGEHELM_HTTP_PORT, http?.port ?? 8080),
      errorStatus: errorStatusOf(manifestPath, http?.errorStatus),
      behindProxy: http?.behindProxy ?? false,
      corsOrigins: http?.corsOrigins ?? [],
      tls: tls && { certFile: fromManifest(tls.certFile), keyFile: fromManifest(tls.keyFile) },
      plaintext: http?.plaintext ?? false,
    },
    grpc: { host: grpc?.host ?? "127.0.0.1", port: portOf(environment.EDGEHELM_GRPC_PORT, grpc?.port ?? 8081) },
    metrics: metrics?.disabled === true ? undefined : {
      host: metrics?.host ?? "127.0.0.1",
      port: portOf(environment.EDGEHELM_METRICS_PORT, metrics?.port ?? 8082),
    },
    database: {
      url: environment.EDGEHELM_DATABASE_URL ?? database?.url ?? "file:edgehelm.db",
      token: environment.EDGEHELM_DATABASE_TOKEN ?? databaseToken(manifestPath, database?.token),
      replica: replicaOf(manifestPath, database?.replica),
    },
    tokens: { lifetimeSeconds: tokens?.lifetimeSeconds ?? 7200, rotateDays: tokens?.rotateDays ?? 30 },
    audit: auditOf(manifestPath, audit),
    limits: limitsOf(manifestPath, limits),
    outbound: outboundOf(manifestPath, outbound),
    logLevel: logLevelOf(environment.EDGEHELM_LOG ?? log?.level),
    timeZone: timeZoneOf(manifestPath, timeZone),
    stop: {
      graceMilliseconds: (stop?.graceSeconds ?? 0) * 1000,
      drainMilliseconds: (stop?.drainSeconds ?? 10) * 1000,
    },
    plugins: plugins.map(({ use, config, disabled, version, integrity }) => ({
      ...{ use, config, disabled },
      accepted: integrity === "" ? undefined : { version, integrity },
    })),
    chosenAccessKey: chosenAccessKey(environment),
    backup: backupSettingsOf(manifestPath, backup, fromManifest),
  };
}

/**
 * Reads an installation manifest. Unknown fields are errors.
 *
 * @throws StartupError that names the file and the path in it
 */
export async function readManifest(path: string): Promise<Installation> {
  const text = await readFile(path, "utf8").catch((cause: Error) => {
    throw new StartupError(`cannot read the installation manifest ${path}: ${cause.message}`, { cause });
  });
  try {
    return codec.decode(parseJson(text));
  } catch (error) {
    if (error instanceof RpcError) throw new StartupError(`${path}: ${error.message}`, { cause: error });
    throw error;
  }
}

export function errorStatusOf(path: string, errorStatus = "ok"): "ok" | "mirror" {
  if (errorStatus === "ok" || errorStatus === "mirror") return errorStatus;
  throw new StartupError(`${path}: http.errorStatus: must be "ok" or "mirror", got "${errorStatus}"`);
}

export function logLevelOf(level = "info"): LogLevel {
  if (isLogLevel(level)) return level;
  throw new StartupError(`the log level must be one of ${LOG_LEVELS.join(", ")}, got "${level}"`);
}

export function limitsOf(path: string, settings: LimitSettings | undefined): Limits {
  return readAt(path, () => readLimits(settings));
}

export function auditOf(path: string, settings: AuditLogSettings | undefined): AuditSettings {
  return readAt(path, () => readAuditSettings(settings));
}

/** Reads settings, and names the file in their errors. */
function readAt<Result>(path: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof StartupError) throw new StartupError(error.errors.map((message) => `${path}: ${message}`));
    throw error;
  }
}

export function outboundOf(path: string, settings: OutboundSettings = {}): Required<OutboundSettings> {
  try {
    outboundRules(settings);
  } catch (error) {
    if (error instanceof RpcError) throw new StartupError(`${path}: ${error.message}`, { cause: error });
    throw error;
  }
  return { allow: settings.allow ?? [], hosts: settings.hosts ?? [] };
}

export function timeZoneOf(path: string, timeZone = "UTC"): string {
  if (isTimeZone(timeZone)) return timeZone;
  const expected = "must be a time zone of the IANA database such as Europe/Berlin";
  throw new StartupError(`${path}: timeZone: ${expected}, got "${timeZone}"`);
}

/** Resolves the token reference. A manifest is shared and copied, so it must not contain the token itself. */
function databaseToken(manifestPath: string, token: string | undefined): string | undefined {
  if (token === undefined || /^(?:env|file):/.test(token)) return token && resolveReference("database.token", token);
  throw new StartupError(`${manifestPath}: database.token: must be a reference, "env:NAME" or "file:/path"`);
}

function replicaOf(manifestPath: string, replica: ReplicaSettings | undefined): Settings["database"]["replica"] {
  const maxAgeMilliseconds = replica?.maxAgeMilliseconds ?? 1000;
  if (maxAgeMilliseconds < 100 || maxAgeMilliseconds > 60_000) {
    const field = "database.replica.maxAgeMilliseconds";
    throw new StartupError(`${manifestPath}: ${field}: must be 100 to 60000, got ${maxAgeMilliseconds}`);
  }
  return replica && { maxAgeMilliseconds };
}

function portOf(fromEnvironment: string | undefined, port: number): number {
  const text = fromEnvironment ?? String(port);
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65535) return Number(text);
  throw new StartupError(`a port must be a number from 0 to 65535, got "${text}"`);
}

function chosenAccessKey(environment: Environment): ChosenAccessKey | undefined {
  const id = environment.EDGEHELM_ADMIN_ACCESS_KEY_ID;
  const file = environment.EDGEHELM_ADMIN_ACCESS_KEY_FILE;
  const secret = file === undefined
    ? environment.EDGEHELM_ADMIN_ACCESS_KEY
    : readSecretFile("EDGEHELM_ADMIN_ACCESS_KEY_FILE", file);
  if (id === undefined && secret === undefined) return undefined;
  if (id === undefined || secret === undefined) {
    throw new StartupError(
      "EDGEHELM_ADMIN_ACCESS_KEY_ID and EDGEHELM_ADMIN_ACCESS_KEY (or ..._FILE) must be set together",
    );
  }
  return { id, secret };
}
