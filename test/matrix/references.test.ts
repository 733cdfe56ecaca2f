import type { DescMethodUnary } from "@bufbuild/protobuf";
import { afterAll, expect, test } from "vitest";
import { effectOf, rolesOf } from "../../core/calls/operation.ts";
import { isUnary, type Outcome, outcomeOf } from "../harness/outcome.ts";
import { generatedServices } from "../rules/generated.ts";
import type { Fields } from "./fixture.ts";
import { valueFor } from "./id_fields.ts";
import { create, marker, owned, requestWith, served, useWorld, world } from "./ownership_rig.ts";

/** The fields by which an object refers to another one; the others say which object an operation changes. */
const REFERENCE =
  /RefJSON$|[oO]riginsJSON$|SetsJSON$|^(in|out)boundJSON$|^reverseProxyJSON$|GroupIds$|^nsRouteCodes$|^recordsJSON$/;
/** The operations whose object belongs to the installation: a policy without a server, or one that an admin creates. */
const OF_INSTALLATION = /FirewallPolicy|FirewallInbound|^create(Origin|ReverseProxy)$/;
/** The values of requests that only admins send. */
const REQUESTS: Readonly<Record<string, () => object>> = {
  createServer: () => ({ type: "httpProxy", name: marker("new") }),
};

const changing = (await generatedServices()).filter(({ name }) => served.includes(name))
  .flatMap(({ methods }) => methods).filter(isUnary)
  .filter((method) => rolesOf(method).includes("admin") && effectOf(method) !== "read");
const cases = changing.flatMap((method) =>
  owned.flatMap((fixture) =>
    method.input.fields.filter(({ name }) =>
      REFERENCE.test(name) && valueFor(fixture.absent, method, name) !== undefined
    ).map(({ name }) => ({ title: `${method.name} refuses in ${name}`, method, fixture, name }))
  )
);

useWorld();
afterAll(() => console.info(`references of admins: ${cases.length * 2} cells`));

/** Calls an operation as admin for an object of the owner, with a reference in one field. */
async function refer(method: DescMethodUnary, name: string, value: unknown): Promise<Outcome> {
  const changed = owned.filter(({ absent }) => Object.keys(targetsOf(method, absent)).length > 0);
  const targets = await Promise.all(changed.map(async (fixture) => targetsOf(method, (await create(fixture)).fields)));
  const request = { ...requestWith(method, ...targets, { [name]: value }), ...REQUESTS[method.name]?.() };
  const hasUser = method.input.fields.some((field) => field.name === "userId");
  const token = await world.edgehelm.token(world.admin);
  return await outcomeOf(world.edgehelm, token, method, { ...request, ...(hasUser && { userId: world.ada.id }) });
}

/** Returns the fields that say which object an operation changes. */
function targetsOf(method: DescMethodUnary, fields: Fields): Fields {
  const targets = method.input.fields.filter(({ name }) => !REFERENCE.test(name))
    .map(({ name }) => [name, valueFor(fields, method, name)] as const);
  return Object.fromEntries(targets.filter(([, value]) => value !== undefined));
}

test.each(cases)("$title an object of another owner, also from an admin", async ({ method, fixture, name }) => {
  const own = await create(fixture, OF_INSTALLATION.test(method.name) ? "admin" : "ada");
  expect(await refer(method, name, valueFor(own.fields, method, name))).toMatchObject({ code: 200 });
  const foreign = await create(fixture, "bob");
  expect(await refer(method, name, valueFor(foreign.fields, method, name))).toMatchObject({ code: 400 });
});
