import { readdirSync } from "node:fs";
import { root } from "../rules/generated.ts";
import type { Fixture } from "./fixture.ts";

const folder = `${root}test/matrix/fixtures/`;

/** One for each plugin whose objects a user caller can name: a file of that plugin's name exports `fixture`. */
export const fixtures: readonly Fixture[] = await Promise.all(
  readdirSync(folder).sort().map(async (file) => (await import(folder + file)).fixture),
);
