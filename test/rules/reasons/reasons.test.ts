import { existsSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { declaredErrors } from "../../../core/base/errors.ts";
import { expect, test } from "vitest";
import { firstParty } from "../../matrix/plugins.ts";
import { reasonsModules } from "./modules.ts";

/** Declared reasons that no operation gives: those of pages and web hooks, and of contracts that only pages use. */
const OF_PAGES = [
  /^console\./,
  /^login\.is_o(?:n|ff)$/,
  /^payment_webhook\.unknown_method$/,
  /^user\.registration/,
  /^user_access_key\.username_missing$/,
];

const modules = reasonsModules();

test("the listed reasons of errors are those of the code", () => {
  const stale = modules.filter(({ path, text }) => !existsSync(path) || readFileSync(path, "utf8") !== text);
  expect(stale.map(({ path }) => basename(dirname(dirname(path)))), "run deno task gen").toEqual([]);
});

test("every error that a plugin declares is one of an operation", () => {
  const listed = new Set(
    modules.flatMap(({ text }) => [...text.matchAll(/"([a-z_]+\.[a-z_]+)"/g)].map(([, one]) => one!)),
  );
  const declared = firstParty.flatMap(({ errors = {} }) => declaredErrors(errors)).map(({ reason }) => reason);
  expect(declared.length).toBeGreaterThan(100);
  const unused = declared.filter((reason) => !listed.has(reason) && !OF_PAGES.some((pattern) => pattern.test(reason)));
  expect(unused).toEqual([]);
});

test("plugins that serve operations list their reasons", () => {
  const listing = firstParty.filter(({ reasons }) => reasons !== undefined).map(({ manifest }) => manifest.name).sort();
  expect(listing).toEqual(modules.map(({ path }) => basename(dirname(dirname(path)))).sort());
});
