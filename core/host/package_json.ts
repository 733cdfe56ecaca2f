import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "./settings.ts";

/** As much of a package.json as packing writes. */
export interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly [field: string]: unknown;
}

async function readJson(path: string): Promise<PackageJson> {
  return JSON.parse(await readFile(path, "utf8"));
}

/** What an exports entry becomes once `.ts` is `.js` and `.d.ts`. */
function exported(target: string): { types: string; default: string } {
  const stem = target.replace(/\.ts$/, "");
  return { types: `${stem}.d.ts`, default: `${stem}.js` };
}

/** The project's own package.json, as it is published. */
export async function projectPackage(source: string): Promise<PackageJson> {
  const { devDependencies: _, ...kept } = await readJson(join(source, "package.json"));
  const entries = Object.entries(kept["exports"] as Record<string, string>);
  return {
    ...kept,
    name: kept["name"] as string,
    version: kept["version"] as string,
    exports: Object.fromEntries(entries.map(([path, target]) => [path, exported(target)])),
  };
}

/** A plugin's package.json: what its folder says, with what can be known from plugin.json. */
export async function pluginPackage(source: string): Promise<PackageJson> {
  const manifest = await readJson(join(source, "plugin.json"));
  const own = join(source, "package.json");
  const { devDependencies: _, ...kept } = existsSync(own) ? await readJson(own) : {} as Partial<PackageJson>;
  const { version } = await readJson(join(ROOT, "package.json"));
  const contract = existsSync(join(source, "contract.ts")) ? { "./contract": exported("./contract.ts") } : {};
  return {
    ...kept,
    name: kept.name ?? `edgehelm-${manifest.name.replaceAll("_", "-")}`,
    version: kept.version ?? manifest.version,
    type: "module",
    exports: { ".": exported("./plugin.ts"), ...contract, "./plugin.json": "./plugin.json" },
    peerDependencies: { edgehelm: `>=${version}`, ...kept["peerDependencies"] as object | undefined },
  };
}
