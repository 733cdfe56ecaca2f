import { relative, sep } from "node:path";
import type { Installation } from "../../../proto/installation_pb.ts";
import type { EdgeInstallation } from "../../edge/options.ts";
import { StartupError } from "../../base/startup_error.ts";
import { requireAccepted } from "../load/integrity.ts";
import { resolvePlugin } from "../load/resolve_plugin.ts";
import { auditOf, errorStatusOf, limitsOf, logLevelOf, outboundOf, timeZoneOf } from "../settings/settings.ts";

/**
 * Returns the source of a module that imports the plugins of an installation statically and holds the settings of its
 * manifest.
 *
 * @param out the folder that the module will be written to
 * @throws StartupError that lists every plugin that cannot be found, and every package that is not what was accepted
 */
export async function staticPlugins(installation: Installation, manifestPath: string, out: string): Promise<string> {
  const { database } = installation;
  const plugins = installation.plugins.map((entry, index) => ({ ...entry, at: `plugins[${index}]` }))
    .filter(({ disabled }) => !disabled);
  const errors: string[] = [];
  const modules = await Promise.all(plugins.map(async ({ use, at, version, integrity }) => {
    try {
      const location = resolvePlugin(use, manifestPath);
      await requireAccepted(use, location, integrity === "" ? undefined : { version, integrity });
      return specifier(out, location.module);
    } catch (error) {
      if (!(error instanceof StartupError)) throw error;
      errors.push(...error.errors.map((message) => `${at}: ${message}`));
      return "";
    }
  }));
  if (errors.length > 0) throw new StartupError(errors);
  const uses = plugins.map(({ config, at }, index) =>
    `    { plugin: plugin${index}, at: "${at}"${config === undefined ? "" : `, config: ${json(config)}`} },`
  );
  const url = database?.url ?? "";
  return [
    "// Written by `deno task bundle`: the plugins and settings of an installation.",
    'import type { EdgeInstallation } from "edgehelm/edge";',
    ...modules.map((module, index) => `import plugin${index} from ${json(module)};`),
    "",
    "/** The database URL of the manifest. EDGEHELM_DATABASE_URL overrides it. */",
    `export const databaseUrl = ${json(url.startsWith("file:") ? "" : url)};`,
    "",
    "export const installation: EdgeInstallation = {",
    "  plugins: [",
    ...uses,
    "  ],",
    ...Object.entries(settingsOf(installation, manifestPath)).map(([name, value]) => `  ${name}: ${json(value)},`),
    "};",
    "",
  ].join("\n");
}

/** Returns the settings, validated here so that an error fails the bundling rather than the deployment. */
function settingsOf(
  { http, tokens, limits, log, timeZone, outbound, audit }: Installation,
  manifestPath: string,
): Omit<EdgeInstallation, "plugins"> {
  limitsOf(manifestPath, limits);
  auditOf(manifestPath, audit);
  return {
    http: { errorStatus: errorStatusOf(manifestPath, http?.errorStatus), corsOrigins: http?.corsOrigins ?? [] },
    tokens: definedFields(tokens),
    audit: definedFields(audit),
    limits: definedFields(limits),
    logLevel: logLevelOf(log?.level),
    timeZone: timeZoneOf(manifestPath, timeZone),
    outbound: outboundOf(manifestPath, outbound),
  };
}

/** Returns the fields of a settings message that are set. */
function definedFields(settings: object = {}): Record<string, number> {
  const entries = Object.entries(settings).filter(([name]) => !name.startsWith("$"));
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function json(value: unknown): string {
  return JSON.stringify(value);
}

function specifier(from: string, module: string): string {
  const path = relative(from, module).split(sep).join("/");
  return path.startsWith(".") ? path : `./${path}`;
}
