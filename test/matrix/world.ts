import { type Contract, invalid } from "edgehelm";
import {
  as,
  type Stub,
  stub,
  type TestCaller,
  TestClock,
  type TestKernel,
  testKernel,
  type TestKernelOptions,
} from "edgehelm/testing";
import { providerOf } from "../../core/base/contract.ts";
import { Admins } from "../../plugins/admin/contract.ts";
import { Users, UserStates } from "../../plugins/user/contract.ts";
import { UserService } from "../../plugins/user/proto/service_user_pb.ts";
import { withoutProviders } from "../harness/acme_connections.ts";
import { firstParty, pluginFolders } from "./plugins.ts";

/** An installation with all plugins, and two users who must not see each other's objects. */
export interface World {
  readonly edgehelm: TestKernel;
  readonly clock: TestClock;
  readonly admin: TestCaller;
  readonly ada: TestCaller;
  readonly bob: TestCaller;
}

/** Additional plugins and host modules of a world, and its database. */
export type WorldOptions = Partial<Pick<TestKernelOptions, "plugins" | "hosts" | "directory" | "engine" | "log">>;

/** The DS records that the parents of domains have, by name of the domain: key tag, algorithm, digest type and digest. */
export const parentDS = new Map<string, readonly string[]>();

/** A DNS resolver that has DS records only, in place of that of the machine. */
export const hosts = {
  ns_domain: {
    txt: () => Promise.resolve([]),
    ns: () => Promise.resolve([]),
    ds: (_call: unknown, name: string) => Promise.resolve(parentDS.get(name) ?? []),
  },
};

const STAND_INS: readonly Stub[] = [
  stub(Users, {
    isLive: () => Promise.resolve(true),
    nodeClusterOf: () => Promise.resolve(0n),
    summaries: (_call, ids) =>
      Promise.resolve(new Map(ids.map((id) => [id, { id, username: `user${id}`, fullname: "" }]))),
    nested: (_call, ids) => Promise.resolve(new Map(ids.map((id) => [id, { id, username: `user${id}` }]))),
    requireUser: (_call, field, id) =>
      id < 100n ? Promise.resolve() : Promise.reject(invalid(field, `user ${id} does not exist`)),
  }),
  stub(UserStates, {
    allowed: (_call, ids) => Promise.resolve(new Set(ids)),
    require: () => Promise.resolve(),
    derive: () => Promise.resolve(),
  }),
  stub(Admins, { isLive: () => Promise.resolve(true), createWithoutPassword: () => Promise.resolve(1n) }),
];

/** Returns stubs for the contracts of plugins that are not enabled. */
export function standIns(plugins: readonly string[] = pluginFolders): readonly Stub[] {
  return STAND_INS.filter(({ contract }: { contract: Contract<unknown> }) => !plugins.includes(providerOf(contract)));
}

/**
 * Opens an installation with all plugins.
 *
 * @param options additional plugins and host modules, and the database to use
 */
export async function openWorld(
  { plugins = [], hosts: moreHosts = {}, ...options }: WorldOptions = {},
): Promise<World> {
  const clock = new TestClock();
  const edgehelm = await testKernel({
    listedReasons: true,
    ...options,
    plugins: [...firstParty.map(withoutProviders), ...plugins],
    stubs: standIns(),
    clock,
    hosts: { ...hosts, ...moreHosts },
  });
  const admin = as.admin();
  const [ada, bob] = pluginFolders.includes("user")
    ? [await createUser(edgehelm, admin, "ada"), await createUser(edgehelm, admin, "bob")]
    : [7n, 8n];
  return { edgehelm, clock, admin, ada: as.user(ada), bob: as.user(bob) };
}

async function createUser(edgehelm: TestKernel, admin: TestCaller, username: string): Promise<bigint> {
  const request = { username, password: `${username} walks in the rain`, fullname: username };
  return (await edgehelm.call(admin, UserService.method.createUser, request)).userId;
}
