import { definePlugin } from "edgehelm";
import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterEach, beforeEach } from "vitest";
import { type UserState, UserStateListeners, UserStates, UserSuspensions } from "../../../plugins/user/contract.ts";
import user from "../../../plugins/user/plugin.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";

export const root = as.admin();
export const PASSWORD = "correct horse battery";

export let states: UserStates;
/** The users that owe what is overdue. */
export const overdue = new Set<bigint>();
/** The calls of the listener. */
export const calls: [bigint, UserState][] = [];
/** Makes the listeners fail, once the set is not empty. */
export const failing = new Set<bigint>();

const money = definePlugin({
  manifest: {
    name: "money",
    version: "1.0.0",
    kernel: "^1",
    services: [],
    tables: [],
    contributes: ["user.state_listeners", "user.suspensions"],
  },
  requires: { states: UserStates },
  setup({ deps, contribute }) {
    states = deps.states;
    contribute(UserSuspensions, {
      overdue: async (_call, ids) => new Set(ids.filter((id) => overdue.has(id))),
      overdueWithin: async (_call, first, last) => new Set([...overdue].filter((id) => id >= first && id <= last)),
    });
    contribute(UserStateListeners, {
      async changed(_call, userId, state) {
        if (failing.has(userId)) throw new Error("killed");
        calls.push([userId, state]);
      },
    });
  },
});

export let edgehelm: TestKernel;
export const call = () => edgehelm.kernel.systemCall("test");

/** Opens a kernel before each test, and closes it after it. */
export function useStates(config = {}): void {
  beforeEach(async () => {
    for (const set of [overdue, failing]) set.clear();
    calls.length = 0;
    edgehelm = await testKernel({ plugins: [user, money], config: { user: config } });
  });
  afterEach(() => edgehelm[Symbol.asyncDispose]());
}

export const deriveAll = () => edgehelm.kernel.runJob("user.derive_states");
export const stateOf = async (userId: bigint) => (await states.states(call(), [userId])).get(userId);

export async function newUser(username: string): Promise<bigint> {
  return (await edgehelm.call(root, UserService.method.createUser, { username, password: PASSWORD })).userId;
}

export async function registeredUser(username: string): Promise<bigint> {
  return (await edgehelm.call(root, UserService.method.registerUser, { username, password: PASSWORD })).userId;
}
