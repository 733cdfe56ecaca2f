import { type DescMethod, type DescMethodUnary, fromJson, type JsonObject } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rolesOf } from "../../core/calls/operation.ts";
import { isUnary, type Outcome, outcomeOf } from "../harness/outcome.ts";
import { type Wire, WIRES } from "../harness/wire.ts";
import { generatedServices } from "../rules/generated.ts";
import { packageOf } from "./fixtures/nodes/node_installation.ts";
import { cases, streamed } from "./nodes/cases.ts";
import { hasPath, idPaths, textsOf } from "./nodes/paths.ts";
import { createSide, type NodeRole, type Side, snapshotOf } from "./nodes/sides.ts";
import { firstParty } from "./plugins.ts";
import { openWorld, type World } from "./world.ts";

const ROLES: readonly NodeRole[] = ["node", "dns", "report"];
const served = firstParty.flatMap(({ manifest }) => manifest.services);
const operations = (await generatedServices()).filter(({ name }) => served.includes(name))
  .flatMap(({ methods }) => methods)
  .flatMap((method) => ROLES.filter((role) => rolesOf(method).includes(role)).map((role) => ({ method, role })))
  .map((operation) => ({ name: `${operation.method.parent.name}.${operation.method.name}`, ...operation }));
const unary = operations.filter(({ method }) => isUnary(method)) as {
  name: string;
  method: DescMethodUnary;
  role: NodeRole;
}[];
let world: World;
let sides: readonly [Side, Side];
let serial = 0;
let cells = 0;

beforeAll(async () => {
  world = await openWorld();
  for (const program of ["edge-dns", "edge-node"]) await packageOf(world, `${program}-linux-amd64-v2.0.0.tar.gz`);
  sides = [await createSide(world, world.ada, "eastern"), await createSide(world, world.bob, "western")];
});
afterAll(async () => {
  console.log(`nodes: ${cells} cells`);
  await world.edgehelm[Symbol.asyncDispose]();
});

const now = () => Math.floor(world.clock.now() / 1000);
const snapshot = (side: Side) =>
  snapshotOf(world, side, new Date(world.clock.now()).toISOString().slice(0, 10).replaceAll("-", ""));

/** Returns a request about the objects of sides, with the items of all of them if it is a list. */
function requestOf(method: DescMethod, role: NodeRole, caller: Side, ...named: Side[]): JsonObject {
  const { request, list } = cases[method.name]!;
  const requests = named.map((side) => request({ role, caller, named: side, serial: ++serial, now: now() }));
  return list === undefined ? requests[0]! : { [list]: requests.flatMap((each) => each[list] as JsonObject[]) };
}

async function send(
  { method, role }: { method: DescMethodUnary; role: NodeRole },
  wire: Wire,
  caller: Side,
  ...named: Side[]
): Promise<Outcome> {
  cells++;
  const request = fromJson(method.input, requestOf(method, role, caller, ...named));
  return await outcomeOf(world.edgehelm, await world.edgehelm.token(caller.callers[role]), method, request, wire);
}

test("every operation that nodes can call has a case, and every case an operation", () => {
  const names = (
    streaming: boolean,
  ) => [...new Set(operations.filter(({ method }) => isUnary(method) !== streaming).map(({ method }) => method.name))];
  expect(Object.keys(cases).toSorted(), "add it to test/matrix/nodes/cases.ts").toEqual(names(false).toSorted());
  expect(Object.keys(streamed).toSorted(), "add it to test/matrix/nodes/cases.ts").toEqual(names(true).toSorted());
});

describe.each(unary.filter(({ method }) => method.name in cases))("$name as $role", (operation) => {
  const { method } = operation;
  const { effect, ignored = {}, list } = cases[method.name]!;

  test("names an object in every id field", () => {
    const request = requestOf(method, "node", sides[0], sides[0]);
    const missing = idPaths(method.input, Object.keys(ignored)).filter((path) => !hasPath(request, path));
    expect(missing, "set it in test/matrix/nodes/cases.ts, or say there why it names nothing").toEqual([]);
  });

  for (const [own, other] of [[0, 1], [1, 0]] as const) {
    test.each(WIRES)(`acts for its own side, ${own}, and not for the other, over %s`, async (wire) => {
      const [caller, foreign] = [sides[own], sides[other]];
      const before = { own: await snapshot(caller), foreign: await snapshot(foreign) };
      const served = await send(operation, wire, caller, caller);
      expect(served).toMatchObject({ code: 200 });
      if (effect === "returns") expect(textsOf(served.response)).toContain(caller.marker);
      const after = await snapshot(caller);
      expect(after !== before.own, "an admin sees what was stored").toBe(effect === "stores");
      const refused = await send(operation, wire, caller, foreign);
      const outcomes = [served, refused];
      if (list !== undefined) {
        const mixed = await send(operation, wire, caller, foreign, caller);
        expect(mixed).toMatchObject({ code: 200 });
        expect(await snapshot(caller)).not.toBe(after);
        outcomes.push(mixed);
      }
      for (const { response, message } of outcomes) {
        expect(`${textsOf(response)}${message}`).not.toContain(foreign.marker);
      }
      expect(await snapshot(foreign)).toBe(before.foreign);
    });
  }
});

describe.each(operations.filter(({ method }) => !isUnary(method)))("$name as $role", ({ method, role }) => {
  test.each([[0, 1], [1, 0]] as const)(
    "acts for the calling node, %i, and not for that of the other side",
    async (own, other) => {
      const [caller, foreign] = [sides[own], sides[other]];
      const before = await snapshot(foreign);
      const { dispatch, operations } = world.edgehelm.kernel;
      const operation = operations.find(`/${method.parent.name}/${method.name}`)!;
      const token = await world.edgehelm.token(caller.callers[role]);
      const requests = new TransformStream({}, { highWaterMark: 16 });
      const responses = dispatch.stream(operation, { token, requestId: "stream" }, requests.readable);
      const first = (await responses.next()).value as Record<string, unknown>;
      const idName = method.output.fields[0]!.localName;
      expect(first).toMatchObject({ [idName]: caller.callers[role].id, code: "connectedAPINode" });
      const writer = requests.writable.getWriter();
      await writer.write(fromJson(method.input, streamed[method.name]!(foreign)));
      expect(await snapshot(foreign)).toBe(before);
      await writer.close();
      while (!(await responses.next()).done);
      cells++;
      expect(await snapshot(foreign)).toBe(before);
    },
  );
});
