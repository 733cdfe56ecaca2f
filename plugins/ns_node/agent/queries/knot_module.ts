import type { KnotConfiguration } from "../knot/configuration.ts";
import { word } from "../knot/knotc.ts";

const ID = "edgehelm";
const MODULE = `mod-probe[${ID}]`;
/** Any other rate has Knot leave out responses that follow another at once. */
const UNLIMITED = "0";
/** A module of all zones: one of each zone would have a socket of its own. */
const GLOBAL = `mod-probe/${ID}`;

/** Has Knot report its responses to a directory, or no longer if that is undefined. Changes nothing else. */
export async function ensureModule(configuration: KnotConfiguration, directory: string | undefined): Promise<void> {
  const [templates, modules] = [await configuration.lines("template"), await configuration.lines("mod-probe")];
  const isKnown = modules.includes(`mod-probe.id = ${ID}`);
  const isGlobal = templates.some((line) =>
    line.startsWith("template[default].global-module = ") && line.split(" ").includes(GLOBAL)
  );
  const settings = [`${MODULE}.path = ${directory}`, `${MODULE}.max-rate = ${UNLIMITED}`];
  const isWanted = settings.every((setting) => modules.some((line) => line.replaceAll('"', "") === setting));
  if (directory !== undefined && isGlobal && isWanted) return;
  const commands = [
    ...isGlobal ? [`conf-unset template[default].global-module ${GLOBAL}`] : [],
    ...isKnown ? [`conf-unset ${MODULE}`] : [],
  ];
  if (directory !== undefined) {
    commands.push(`conf-set ${MODULE}`, `conf-set ${MODULE}.path ${word(directory)}`);
    commands.push(`conf-set ${MODULE}.max-rate ${UNLIMITED}`);
    if (!templates.includes("template.id = default")) commands.push("conf-set template[default]");
    commands.push(`conf-set template[default].global-module ${GLOBAL}`);
  }
  if (commands.length > 0) await configuration.transact(commands);
}
