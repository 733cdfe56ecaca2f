import { expect, test } from "vitest";
import { parityFindings } from "../harness/conformance/parity.ts";
import { isUnary } from "../harness/outcome.ts";
import { WIRES } from "../harness/wire.ts";
import { openWorld } from "./world.ts";

test("every operation has the same outcome over every wire", async () => {
  const { edgehelm } = await openWorld();
  await using _ = edgehelm;
  const { cells, errors } = await parityFindings(edgehelm);
  expect(errors).toEqual([]);
  expect(cells).toBe(edgehelm.kernel.operations.all.filter(({ method }) => isUnary(method)).length * WIRES.length);
});
