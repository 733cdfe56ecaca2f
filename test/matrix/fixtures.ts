import { readdirSync } from "node:fs";
import { root } from "../rules/generated.ts";
import type { Fixture } from "./fixture.ts";

const folder = `${root}test/matrix/fixtures/`;

/** The fixtures, one for each plugin whose objects users can refer to: the file named like the plugin exports `fixture`. */
export const fixtures: readonly Fixture[] = await Promise.all(
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts")).sort()
    .map(async (file) => (await import(folder + file)).fixture),
);
