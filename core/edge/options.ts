import { InstallationKey } from "../auth/installation_key.ts";
import type { PluginUse } from "../kernel/check.ts";
import type { Clock } from "../base/clock.ts";
import type { LimitName } from "../base/limits.ts";
import type { LogLevel } from "../base/log.ts";
import { StartupError } from "../base/startup_error.ts";

/** What an installation manifest decides, as the bundle command writes it down. */
export interface EdgeInstallation {
  /** The plugins, without their host modules. */
  readonly plugins: readonly PluginUse[];
  readonly http?: {
    /** What the HTTP status of a failed operation is: 200, or the envelope's code. */
    readonly errorStatus?: "ok" | "mirror";
    /** Origins that browsers may call from. */
    readonly corsOrigins?: readonly string[];
  };
  readonly tokens?: { readonly lifetimeSeconds?: number; readonly rotateDays?: number };
  readonly limits?: Readonly<Partial<Record<LimitName, number>>>;
  readonly logLevel?: LogLevel;
}

/** An installation on a fetch-only runtime. */
export interface EdgeOptions<Environment = unknown> extends EdgeInstallation {
  /** A remote libSQL database: `libsql://`, `https://` or `http://`, and the access token that it asks for. */
  readonly database: { readonly url: string; readonly token?: string | undefined };
  /** The installation key, as EDGEHELM_KEY has it on a host. */
  readonly key: string;
  /** Where a request comes from, as the runtime tells it; limits on guessing secrets count by it. */
  readonly remoteAddress?: (request: Request, environment: Environment) => string | undefined;
  /** Takes log lines, line feed included; the console unless told. */
  readonly writeLog?: (line: string) => void;
  /** The runtime's own unless told. */
  readonly clock?: Clock;
}

/** What it takes to open an installation, which sees no request. */
export type OpenOptions = Omit<EdgeOptions, "remoteAddress">;

/** The variables that an edge deployment is given, under the names that they have on a host. */
export interface EdgeVariables {
  readonly EDGEHELM_DATABASE_URL?: string | undefined;
  readonly EDGEHELM_DATABASE_TOKEN?: string | undefined;
  readonly EDGEHELM_KEY?: string | undefined;
}

/**
 * Where the database is and what opens it, from the variables of a deployment.
 *
 * @param url the installation manifest's own, which the variable wins over
 */
export function fromVariables(variables: EdgeVariables, url = ""): Pick<OpenOptions, "database" | "key"> {
  const { EDGEHELM_DATABASE_URL, EDGEHELM_DATABASE_TOKEN, EDGEHELM_KEY } = variables;
  return {
    database: { url: EDGEHELM_DATABASE_URL || url, token: EDGEHELM_DATABASE_TOKEN || undefined },
    key: EDGEHELM_KEY ?? "",
  };
}

/** @throws StartupError that names what is missing */
export async function readEdgeKey({ database: { url }, key }: OpenOptions): Promise<InstallationKey> {
  const problems: string[] = [];
  if (!/^(?:libsql|https?):\/\/\S+$/.test(url)) {
    problems.push("EDGEHELM_DATABASE_URL must be the URL of a libSQL database: libsql://, https:// or http://");
  }
  if (key === "") problems.push("EDGEHELM_KEY must be the installation key that the database was made with");
  if (problems.length > 0) throw new StartupError(problems);
  return await InstallationKey.fromText(key, "EDGEHELM_KEY");
}
