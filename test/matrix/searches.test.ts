import type { DescMethodUnary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isUnary, outcomeOf } from "../harness/outcome.ts";
import { fixture as domain } from "./fixtures/dns/ns_domain.ts";
import { requestFor } from "./requests.ts";
import { openWorld, type World } from "./world.ts";

/** Longer than a pattern of SQLite may be. */
const LONG = "*a%_\\".repeat(80_000);
/** The request fields that are searched for in texts. */
const SEARCHED = ["keyword", "tag", "domain"];

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.edgehelm[Symbol.asyncDispose]());

test("every search refuses a text that is too long, with an error that names the field", async () => {
  const { edgehelm, admin } = world;
  const token = await edgehelm.token(admin);
  const searches = edgehelm.kernel.operations.all.filter(({ effect, method, roles }) =>
    effect === "read" && roles.has("admin") && isUnary(method)
  ).flatMap(({ method }) =>
    method.input.fields.filter(({ name, scalar }) => SEARCHED.includes(name) && scalar !== undefined)
      .map(({ name, localName }) => ({ method: method as DescMethodUnary, name, localName }))
  );
  expect(searches.length).toBeGreaterThan(40);
  const { fields } = await domain.create(world, admin, "searched");
  const wrong: unknown[] = [];
  for (const { method, name, localName } of searches) {
    const { code, message } = await outcomeOf(edgehelm, token, method, {
      ...requestFor(method, [fields]),
      [localName]: LONG,
    });
    if (code !== 400 || !message.startsWith(`${name}: `)) wrong.push({ method: method.name, name, code, message });
  }
  expect(wrong).toEqual([]);
});
