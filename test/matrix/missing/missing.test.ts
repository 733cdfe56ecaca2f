import type { DescMethodUnary, JsonValue } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { effectOf, rolesOf } from "../../../core/calls/operation.ts";
import { isUnary, type Outcome, outcomeOf } from "../../harness/outcome.ts";
import { generatedServices } from "../../rules/generated.ts";
import { firstParty } from "../plugins.ts";
import { requestFor } from "../requests.ts";
import { contentsOf } from "./contents.ts";
import { EXCEPTIONS } from "./exceptions.ts";
import { idPathsOf, MISSING, pathOf, type Step, withMissing } from "./id_paths.ts";
import { VALUES } from "./values.ts";
import { type MissingWorld, openMissingWorld } from "./world.ts";

/** Reads, and the one operation that records who read. */
const READS = /^(find|list|count|check|exist|sum|compose|download|SayHello)/;
const TIMES = /^(day|hour|minute|month|timeFrom|timeTo|timeAt)$/;
const ROLES = ["admin", "user", "node", "dns", "report", "anonymous"] as const;
const served = firstParty.flatMap(({ manifest }) => manifest.services);

interface Cell {
  readonly title: string;
  readonly method: DescMethodUnary;
  readonly steps: readonly Step[];
}

const cells = (await generatedServices()).filter(({ name }) => served.includes(name))
  .flatMap(({ methods }) => methods).filter(isUnary)
  .flatMap((method): Cell[] =>
    idPathsOf(method.input).map((steps) => ({ title: `${method.name} ${pathOf(steps)}`, method, steps }))
  );
const accepted = cells.filter(({ title }) => exceptionOf(title) !== undefined);
const others = cells.filter((cell) => !accepted.includes(cell));

let world: MissingWorld;
let contents: () => Promise<string>;
let before: string;
beforeAll(async () => {
  world = await openMissingWorld();
  // every read of a server of its own is a round trip
  contents = world.edgehelm.engine.shared ? () => Promise.resolve("") : await contentsOf(world.edgehelm.engine);
  before = await contents();
});
afterAll(() => world.edgehelm[Symbol.asyncDispose]());
afterAll(() => console.info(`ids that do not exist: ${others.length} fields, and ${accepted.length} with a reason`));

function isRead(method: DescMethodUnary): boolean {
  return effectOf(method) === "read" || READS.test(method.name);
}

/** Returns the cells with their titles, which are too long for the titles of objects. */
function titled(some: readonly Cell[]): [string, Cell][] {
  return some.map((cell) => [cell.title, cell]);
}

function exceptionOf(title: string): string | undefined {
  return Object.keys(EXCEPTIONS).find((prefix) =>
    [".", " "].some((end) => `${title}${end}`.startsWith(`${prefix}${end}`))
  );
}

async function outcomeWithMissing({ method, steps }: Cell): Promise<Outcome> {
  const role = ROLES.find((one) => rolesOf(method).includes(one))!;
  const values = [VALUES[method.name], VALUES[`${method.name}.${steps[0]!.field.name}`]]
    .map((one) => typeof one === "function" ? one(world) : one);
  const request = Object.assign({ name: "x" }, requestFor(method, world.objects), ...values);
  const token = await world.edgehelm.token(world.callers[role]!);
  return await outcomeOf(world.edgehelm, token, method, withMissing(request, steps));
}

/** Returns true for an error that says which object does not exist: by its field, or as not found if the call acts on it. */
function namesObject({ steps }: Cell, { code, message }: Outcome): boolean {
  const isNamed = message.replaceAll(/\[\d+\]/g, "").startsWith(`${pathOf(steps)}: `);
  if (!message.includes(String(MISSING))) return isNamed && message.includes("must be empty");
  return isNamed || (code === 404 && (steps.length === 1 || steps.at(-1)!.field.name === "id"));
}

/** Returns true for a response without objects, figures and texts, apart from the id itself and times of figures. */
function isEmpty(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.every(isEmpty);
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).every(([name, part]) => TIMES.test(name) || isEmpty(part));
  }
  return [null, false, 0, "", "0", String(MISSING), btoa("null"), btoa("[]")].includes(value as never);
}

describe("finding 6: an id of nothing is refused by name, and nothing is written", () => {
  test.each(titled(others.filter(({ method }) => !isRead(method))))("%s", async (_title, cell) => {
    const outcome = await outcomeWithMissing(cell);
    expect(namesObject(cell, outcome) ? "" : `${outcome.code} ${outcome.message}`).toBe("");
    expect(await contents() === before).toBe(true);
  });
});

describe("reads find nothing by an id of nothing", () => {
  test.each(titled(others.filter(({ method }) => isRead(method))))("%s", async (_title, cell) => {
    const outcome = await outcomeWithMissing(cell);
    const findsNothing = outcome.code === 200 && isEmpty(outcome.response);
    expect(findsNothing || namesObject(cell, outcome) ? "" : JSON.stringify(outcome)).toBe("");
  });
});

test("every exception is needed", async () => {
  const needed = new Set<string>();
  for (const cell of accepted) {
    const outcome = await outcomeWithMissing(cell);
    const findsNothing = isRead(cell.method) && outcome.code === 200 && isEmpty(outcome.response);
    if (!findsNothing && !namesObject(cell, outcome)) needed.add(exceptionOf(cell.title)!);
  }
  expect(Object.keys(EXCEPTIONS).filter((prefix) => !needed.has(prefix))).toEqual([]);
});
