import { afterAll, beforeAll, expect, test } from "vitest";
import { roleFindings } from "../harness/conformance/roles.ts";
import { isUnary } from "../harness/outcome.ts";
import { WIRES } from "../harness/wire.ts";
import { openWorld, type World } from "./world.ts";

const CALLERS = 8;

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.edgehelm[Symbol.asyncDispose]());

test(
  "every operation accepts exactly the roles that its allow option lists, over every wire",
  async () => {
    const { cells, errors } = await roleFindings(world.edgehelm, world.clock);
    console.log(`roles: ${cells} cells`);
    expect(errors).toEqual([]);
    expect(cells).toBe(
      world.edgehelm.kernel.operations.all.filter(({ method }) => isUnary(method)).length * CALLERS * WIRES.length,
    );
  },
);
