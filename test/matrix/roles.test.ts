import { as } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { COMMON_MODULE } from "../../core/base/modules.ts";
import { AdminService } from "../../plugins/admin/proto/service_admin_pb.ts";
import { type ModuleAdmin, roleFindings } from "../harness/conformance/roles.ts";
import { isUnary } from "../harness/outcome.ts";
import { WIRES } from "../harness/wire.ts";
import { openWorld, type World } from "./world.ts";

const CALLERS = 8;

let world: World;
const admins: ModuleAdmin[] = [];
beforeAll(async () => {
  world = await openWorld();
  const { installedJSON } = await world.edgehelm.call(world.admin, AdminService.method.findAllAdminModules, {
    withInstalled: true,
  });
  const installed: { code: string }[] = JSON.parse(new TextDecoder().decode(installedJSON));
  const codes = installed.map(({ code }) => code).filter((code) => code !== COMMON_MODULE);
  expect(codes.length).toBeGreaterThan(0);
  for (const own of [[], ...codes.map((code) => [code])]) admins.push(await createAdmin(own));
});
afterAll(() => world.edgehelm[Symbol.asyncDispose]());

async function createAdmin(modules: readonly string[]): Promise<ModuleAdmin> {
  const { adminId } = await world.edgehelm.call(world.admin, AdminService.method.createAdmin, {
    username: `has_${modules.join() || "none"}`,
    password: "an admin in the rain",
    modulesJSON: new TextEncoder().encode(JSON.stringify(modules.map((code) => ({ code, allowAll: true })))),
    canLogin: true,
  });
  return { caller: as.admin(adminId), modules };
}

test(
  "every operation accepts exactly the roles and modules that its allow option lists, over every wire",
  async () => {
    const { cells, errors } = await roleFindings(world.edgehelm, world.clock, admins);
    const operations = world.edgehelm.kernel.operations.all.filter(({ method }) => isUnary(method)).length;
    console.log(`roles: ${cells} cells, ${operations * admins.length} of them of admins with one module or none`);
    expect(errors).toEqual([]);
    expect(cells).toBe(operations * (CALLERS * WIRES.length + admins.length));
  },
);
