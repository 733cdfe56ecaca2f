import { InstallationKey } from "../auth/installation_key.ts";
import type { PluginUse } from "../kernel/check/check.ts";
import type { Clock } from "../base/clock.ts";
import type { LimitName } from "../base/limits.ts";
import type { LogLevel } from "../base/log.ts";
import type { OutboundSettings } from "../outbound/settings.ts";
import { StartupError } from "../base/startup_error.ts";

/** The plugins and settings of an installation manifest, as `deno task bundle` writes them. */
export interface EdgeInstallation {
  /** The plugins, without their host modules, with their configuration. */
  readonly plugins: readonly PluginUse[];
  readonly http?: {
    /** The HTTP status of an error: 200 for `ok`, the code of the envelope for `mirror`. Defaults to `ok`. */
    readonly errorStatus?: "ok" | "mirror";
    /** The origins that browsers may call from. Defaults to none. */
    readonly corsOrigins?: readonly string[];
  };
  /** The lifetime of access tokens in seconds (default 7200) and the rotation of signing keys in days (default 30). */
  readonly tokens?: { readonly lifetimeSeconds?: number; readonly rotateDays?: number };
  /** The ages in days at which audit records are deleted (default 180), and may be before (default 90). */
  readonly audit?: { readonly keepDays?: number; readonly guardDays?: number };
  /** Overrides of the default limits. */
  readonly limits?: Readonly<Partial<Record<LimitName, number>>>;
  /** The hosts that plugins may send requests to. Defaults to none. */
  readonly outbound?: OutboundSettings;
  /** The minimum level of log lines. Defaults to `info`. */
  readonly logLevel?: LogLevel;
  /** The time zone whose midnights begin days, a name of the IANA database. Defaults to UTC. */
  readonly timeZone?: string;
}

/** The options of `createFetch`: an installation with its database, key and runtime adapters. */
export interface EdgeOptions<Environment = unknown> extends EdgeInstallation {
  /** The URL of a remote libSQL database (`libsql://`, `https://` or `http://`) and its access token, if required. */
  readonly database: { readonly url: string; readonly token?: string | undefined };
  /** The installation key: 32 bytes as base64, base64url or hexadecimal text, as in EDGEHELM_KEY on a host. */
  readonly key: string;
  /** The token with which monitoring reads /metrics, from 16 characters. Without one, metrics are not served. */
  readonly metricsToken?: string | undefined;
  /** Returns the IP address of the client. Login attempts are limited by address. */
  readonly remoteAddress?: (request: Request, environment: Environment) => string | undefined;
  /** Writes a log line, which ends with a line feed. Defaults to the console. */
  readonly writeLog?: (line: string) => void;
  /** Defaults to the clock of the runtime, in the time zone of the installation. */
  readonly clock?: Clock;
}

/** The options that opening an installation requires, without those for single requests. */
export type OpenOptions = Omit<EdgeOptions, "remoteAddress">;

/** The environment variables of an edge deployment, named as on a host. */
export interface EdgeVariables {
  readonly EDGEHELM_DATABASE_URL?: string | undefined;
  readonly EDGEHELM_DATABASE_TOKEN?: string | undefined;
  readonly EDGEHELM_KEY?: string | undefined;
  readonly EDGEHELM_METRICS_TOKEN?: string | undefined;
}

/**
 * Returns the database, the installation key and the token for metrics from the environment variables of a deployment.
 *
 * @param variables the variables; missing ones become empty strings, which `createFetch` reports as errors
 * @param url the database URL of the installation manifest, which EDGEHELM_DATABASE_URL overrides
 *
 * @example
 * ```ts
 * import { createFetch, fromVariables } from "edgehelm/edge";
 * import { databaseUrl, installation } from "./plugins.ts";
 *
 * const variables = {
 *   EDGEHELM_DATABASE_URL: "libsql://your-database.example",
 *   EDGEHELM_DATABASE_TOKEN: Deno.env.get("EDGEHELM_DATABASE_TOKEN"),
 *   EDGEHELM_KEY: Deno.env.get("EDGEHELM_KEY"),
 * };
 * const fetch = createFetch({ ...installation, ...fromVariables(variables, databaseUrl) });
 * ```
 */
export function fromVariables(
  variables: EdgeVariables,
  url = "",
): Pick<OpenOptions, "database" | "key" | "metricsToken"> {
  const { EDGEHELM_DATABASE_URL, EDGEHELM_DATABASE_TOKEN, EDGEHELM_KEY, EDGEHELM_METRICS_TOKEN } = variables;
  return {
    database: { url: EDGEHELM_DATABASE_URL || url, token: EDGEHELM_DATABASE_TOKEN || undefined },
    key: EDGEHELM_KEY ?? "",
    metricsToken: EDGEHELM_METRICS_TOKEN || undefined,
  };
}

/**
 * Parses the installation key and checks the database URL and the token for metrics.
 *
 * @throws StartupError that names the missing or invalid variables
 */
export async function readEdgeKey({ database: { url }, key, metricsToken }: OpenOptions): Promise<InstallationKey> {
  const errors: string[] = [];
  if (!/^(?:libsql|https?):\/\/\S+$/.test(url)) {
    errors.push("EDGEHELM_DATABASE_URL must be the URL of a libSQL database: libsql://, https:// or http://");
  }
  if (key === "") errors.push("EDGEHELM_KEY must be the installation key that the database was created with");
  if (metricsToken !== undefined && !/^\S{16,1024}$/.test(metricsToken)) {
    errors.push("EDGEHELM_METRICS_TOKEN must be 16 to 1024 characters without white space");
  }
  if (errors.length > 0) throw new StartupError(errors);
  return await InstallationKey.fromText(key, "EDGEHELM_KEY");
}
