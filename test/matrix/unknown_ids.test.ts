import { type DescField, type DescMethodUnary, ScalarType } from "@bufbuild/protobuf";
import { as } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { effectOf, rolesOf } from "../../core/calls/operation.ts";
import { isUnary, outcomeOf } from "../harness/outcome.ts";
import { generatedServices } from "../rules/generated.ts";
import { UNUSED_ID } from "./fixture.ts";
import { fixtures } from "./fixtures.ts";
import { firstParty } from "./plugins.ts";
import { openWorld, type World } from "./world.ts";

const served = firstParty.flatMap(({ manifest }) => manifest.services);
const methods = (await generatedServices()).filter(({ name }) => served.includes(name))
  .flatMap((service) => service.methods).filter(isUnary)
  .filter((method) => rolesOf(method).includes("admin"));

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.edgehelm[Symbol.asyncDispose]());

async function asAdmin(method: DescMethodUnary, request: Record<string, unknown>) {
  return await outcomeOf(world.edgehelm, await world.edgehelm.token(as.admin()), method, request);
}

function isId({ fieldKind, scalar, name }: DescField): boolean {
  return fieldKind === "scalar" && scalar === ScalarType.INT64 && /Id$/.test(name);
}

/** Operations whose ids select objects, possibly none. */
const BULK_OPERATIONS = ["updateNodeLogsRead", "deleteNSDomains"];

const changing = methods.filter((method) =>
  effectOf(method) !== "read" && /^(update|delete|disable|renew|pay|install|start|stop|verify)/.test(method.name) &&
  method.input.fields.some(isId) && !BULK_OPERATIONS.includes(method.name)
);

test.each(changing.map((method) => ({ name: `${method.parent.name}.${method.name}`, method })))(
  "$name fails for an object that does not exist",
  async ({ method }) => {
    const request: Record<string, unknown> = {};
    for (const field of method.input.fields) {
      if (isId(field)) request[field.localName] = UNUSED_ID;
      else if (field.fieldKind === "scalar" && field.scalar === ScalarType.STRING) request[field.localName] = "text";
    }
    expect(await asAdmin(method, request)).toMatchObject({ code: expect.toBeOneOf([400, 404]) });
  },
);

const paged = methods.filter((method) =>
  method.input.fields.some(({ name }) => name === "size") && effectOf(method) === "read"
);

test.each(paged.map((method) => ({ name: `${method.parent.name}.${method.name}`, method })))(
  "$name refuses a page that is negative or too large",
  async ({ method }) => {
    for (const size of [-1n, 1_000_000n]) {
      const { code, message } = await asAdmin(method, { ...requiredFields(method), size });
      expect([code, message]).toEqual([400, expect.stringMatching(/^size: /)]);
    }
  },
);

/** Returns the other fields that a request requires. */
function requiredFields(method: DescMethodUnary): Record<string, unknown> {
  if (method.name === "listReportResults") return { reportNodeId: 1n };
  return fixtures.map(({ requests }) => requests?.[method.name]).find((request) => request !== undefined) ?? {};
}
