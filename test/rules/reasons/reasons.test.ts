import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { declaredErrors } from "../../../core/base/errors.ts";
import { httpPath } from "../../../core/calls/operation.ts";
import { firstParty } from "../../matrix/plugins.ts";
import { generatedServices } from "../generated.ts";
import { reasonsModules } from "./modules.ts";

/** Declared reasons that no operation gives: those of pages and web hooks, and of contracts that only pages use. */
const OF_PAGES = [
  /^console\./,
  /^login\.is_o(?:n|ff)$/,
  /^payment_webhook\.unknown_method$/,
  /^user\.registration/,
  /^user_access_key\.username_missing$/,
];

const listed = new Map(
  (await Promise.all(firstParty.map(async ({ reasons }) => Object.entries((await reasons?.())?.reasons ?? {})))).flat(),
);

test("a plugin that lists reasons lists those of all its operations", async () => {
  const listing = firstParty.filter(({ reasons }) => reasons !== undefined);
  expect(listing.length).toBeGreaterThan(50);
  const names = listing.flatMap(({ manifest }) => manifest.services);
  const services = (await generatedServices()).filter(({ name }) => names.includes(name));
  const paths = services.flatMap(({ methods }) => methods.map((method) => httpPath(method)));
  expect([...listed.keys()].sort(), "run deno task gen").toEqual(paths.sort());
});

test("every error that a plugin declares is one of an operation", () => {
  const given = new Set([...listed.values()].flat());
  const declared = firstParty.flatMap(({ errors = {} }) => declaredErrors(errors)).map(({ reason }) => reason);
  expect(declared.length).toBeGreaterThan(100);
  const unused = declared.filter((reason) => !given.has(reason) && !OF_PAGES.some((pattern) => pattern.test(reason)));
  expect(unused, "run deno task gen").toEqual([]);
});

test("the lists are those that the code gives", () => {
  const stale = reasonsModules().filter(({ path, text }) =>
    withoutSpace(readFileSync(path, "utf8")) !== withoutSpace(text)
  );
  expect(stale.map(({ path }) => path), "run deno task gen").toEqual([]);
});

/** The generated files are formatted after they are written. */
function withoutSpace(text: string): string {
  return text.replace(/[\s,]+/g, "");
}
