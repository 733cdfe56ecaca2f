import { relative, sep } from "node:path";
import type { Installation } from "../../../proto/installation_pb.ts";
import type { EdgeInstallation } from "../../edge/options.ts";
import { StartupError } from "../../base/startup_error.ts";
import { resolvePlugin } from "../load/resolve_plugin.ts";
import { errorStatusOf, limitsOf, logLevelOf } from "../settings/settings.ts";

/**
 * The module that imports each plugin of an installation by name, and holds what its manifest decides. Every plugin
 * that cannot be found is told at once.
 *
 * @param out the folder that the module is written to
 */
export function staticPlugins(installation: Installation, manifestPath: string, out: string): string {
  const { plugins, database } = installation;
  const problems: string[] = [];
  const modules = plugins.map(({ use }, index) => {
    try {
      return specifier(out, resolvePlugin(use, manifestPath).module);
    } catch (error) {
      if (!(error instanceof StartupError)) throw error;
      problems.push(...error.problems.map((problem) => `plugins[${index}]: ${problem}`));
      return "";
    }
  });
  if (problems.length > 0) throw new StartupError(problems);
  const uses = plugins.map(({ config }, index) =>
    `    { plugin: plugin${index}, at: "plugins[${index}]"${config === undefined ? "" : `, config: ${json(config)}`} },`
  );
  const url = database?.url ?? "";
  return [
    "// Written by `deno task bundle`: the plugins of an installation, and what its manifest decides.",
    'import type { EdgeInstallation } from "edgehelm/edge";',
    ...modules.map((module, index) => `import plugin${index} from ${json(module)};`),
    "",
    "/** The manifest's own database; EDGEHELM_DATABASE_URL wins over it. */",
    `export const databaseUrl = ${json(url.startsWith("file:") ? "" : url)};`,
    "",
    "export const installation: EdgeInstallation = {",
    "  plugins: [",
    ...uses,
    "  ],",
    ...Object.entries(decisions(installation, manifestPath)).map(([name, value]) => `  ${name}: ${json(value)},`),
    "};",
    "",
  ].join("\n");
}

/** Checked here, so that a mistake stops the bundling and not the deployment. */
function decisions(
  { http, tokens, limits, log }: Installation,
  manifestPath: string,
): Omit<EdgeInstallation, "plugins"> {
  limitsOf(manifestPath, limits);
  return {
    http: { errorStatus: errorStatusOf(manifestPath, http?.errorStatus), corsOrigins: http?.corsOrigins ?? [] },
    tokens: plain(tokens),
    limits: plain(limits),
    logLevel: logLevelOf(log?.level),
  };
}

/** The fields of a settings message that are set. */
function plain(settings: object = {}): Record<string, number> {
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
