import { readdirSync } from "node:fs";
import type { Plugin } from "edgehelm";
import { root } from "../rules/generated.ts";

const paths = readdirSync(`${root}plugins`, { recursive: true, encoding: "utf8" });

/** The folders of all first-party plugins, sorted. */
export const pluginFolders: readonly string[] = paths
  .flatMap((path) => /^([^/]+)\/plugin\.ts$/.exec(path)?.[1] ?? []).sort();

/** All first-party plugins. */
export const firstParty: readonly Plugin[] = await Promise.all(
  pluginFolders.map(async (folder) => (await import(`${root}plugins/${folder}/plugin.ts`)).default),
);
