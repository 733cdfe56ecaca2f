import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create, type DescMethodUnary, fromJson, type Message, toBinary } from "@bufbuild/protobuf";
import type { Plugin } from "edgehelm";
import { as, type TestCaller } from "edgehelm/testing";
import { COMMON_MODULE } from "../../../core/base/modules.ts";
import type { EffectName, Operation } from "../../../core/calls/operation.ts";
import { AdminService } from "../../../plugins/admin/proto/service_admin_pb.ts";
import { isUnary } from "../../harness/outcome.ts";
import { requestFor } from "../../matrix/requests.ts";
import { openSettingsWorld, type SettingsWorld } from "../../matrix/settings_world.ts";

/** An operation to attack, with a request that refers to objects that exist. */
export interface TargetOperation {
  readonly method: DescMethodUnary;
  readonly path: string;
  readonly rpcPath: string;
  readonly effect: EffectName;
  readonly roles: Operation["roles"];
  readonly request: Message;
}

/** A database with an object of every kind, of which each target gets a copy. */
export interface TargetInstallation extends AsyncDisposable {
  readonly operations: readonly TargetOperation[];
  /** A caller of each role, and admins with one module or none. */
  readonly callers: readonly TestCaller[];
  /** Copies the database into a new directory. */
  copy(): Promise<string>;
}

/** The values without which operations stop before their statements. */
const DEFAULTS = { size: 10, offset: 0, name: "x" };

/** Fills a database with all plugins of the project. */
export async function fillInstallation(plugins: readonly Plugin[] = []): Promise<TargetInstallation> {
  const directory = await mkdtemp(join(tmpdir(), "edgehelm-target-"));
  const world = await openSettingsWorld({ directory, plugins });
  const operations = world.edgehelm.kernel.operations.all.flatMap((operation) => operationOf(operation, world));
  const callers = [...Object.values(world.callers), world.bob, ...await moduleAdmins(world)];
  await world.edgehelm.stop();
  const copies: string[] = [];
  return {
    operations,
    callers,
    async copy() {
      const copy = await mkdtemp(join(tmpdir(), "edgehelm-target-"));
      copies.push(copy);
      await cp(directory, copy, { recursive: true });
      return copy;
    },
    async [Symbol.asyncDispose]() {
      for (const path of [directory, ...copies]) await rm(path, { recursive: true, force: true });
    },
  };
}

function operationOf({ method, path, rpcPath, effect, roles }: Operation, world: SettingsWorld): TargetOperation[] {
  if (!isUnary(method)) return [];
  const defaults = Object.entries(DEFAULTS).filter(([name]) =>
    method.input.fields.some((field) => field.name === name)
  );
  const values = fromJson(method.input, Object.fromEntries(defaults)) as unknown as Record<string, unknown>;
  const fields = Object.entries({ ...values, ...requestFor(method, world.objects) });
  const request = create(method.input, Object.fromEntries(fields.filter((field) => fits(method, field))));
  return [{ method, path, rpcPath, effect, roles, request }];
}

/** Returns false for the value of another field with the same name. */
function fits({ input }: DescMethodUnary, [name, value]: readonly [string, unknown]): boolean {
  try {
    return toBinary(input, create(input, { [name]: value })).length >= 0;
  } catch {
    return false;
  }
}

async function moduleAdmins({ edgehelm, admin }: SettingsWorld): Promise<TestCaller[]> {
  const { createAdmin, findAllAdminModules } = AdminService.method;
  const { installedJSON } = await edgehelm.call(admin, findAllAdminModules, { withInstalled: true });
  const installed: { code: string }[] = JSON.parse(new TextDecoder().decode(installedJSON));
  const codes = installed.map(({ code }) => code).filter((code) => code !== COMMON_MODULE);
  const callers: TestCaller[] = [];
  for (const modules of [[], ...codes.map((code) => [{ code, allowAll: true }])]) {
    const { adminId } = await edgehelm.call(admin, createAdmin, {
      username: `limited${callers.length}`,
      password: "an admin in the rain",
      modulesJSON: new TextEncoder().encode(JSON.stringify(modules)),
      canLogin: true,
    });
    callers.push(as.admin(adminId));
  }
  return callers;
}
