import { readdirSync } from "node:fs";
import type { Plugin } from "edgehelm";
import { root } from "../rules/generated.ts";

const found = readdirSync(`${root}plugins`, { recursive: true, encoding: "utf8" });

/** The folders of plugins that can run, sorted. */
export const pluginFolders: readonly string[] = found
  .flatMap((path) => /^([^/]+)\/plugin\.ts$/.exec(path)?.[1] ?? []).sort();

/** Every plugin of the project. */
export const firstParty: readonly Plugin[] = await Promise.all(
  pluginFolders.map(async (folder) => (await import(`${root}plugins/${folder}/plugin.ts`)).default),
);
