import { definePlugin } from "edgehelm";
import { as } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ALL_ACTS } from "../../../plugins/user/acts.ts";
import { UserSuspensions } from "../../../plugins/user/contract.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import { isUnary } from "../../harness/outcome.ts";
import { WIRES } from "../../harness/wire.ts";
import { openWorld, type World } from "../../matrix/world.ts";

const overdue = new Set<bigint>();
const money = definePlugin({
  manifest: {
    name: "money",
    version: "1.0.0",
    kernel: "^1",
    services: [],
    tables: [],
    contributes: ["user.suspensions"],
  },
  setup: ({ contribute }) =>
    contribute(UserSuspensions, {
      overdue: (_call, ids) => Promise.resolve(new Set(ids.filter((id) => overdue.has(id)))),
      overdueWithin: (_call, first, last) =>
        Promise.resolve(new Set([...overdue].filter((id) => id >= first && id <= last))),
    }),
});

const { createUser, renewUserServersState, updateUser } = UserService.method;
/** The acts of a suspended user. */
const ALLOWED = ["sign_in", "read", "pay"];

let world: World;
beforeAll(async () => {
  world = await openWorld({ plugins: [money] });
});
afterAll(() => world.edgehelm[Symbol.asyncDispose]());

/** Returns the operations that users may call. */
const operations = () =>
  world.edgehelm.kernel.operations.all.filter(({ roles, method }) => roles.has("user") && isUnary(method));

async function newUser(username: string): Promise<bigint> {
  const request = { username, password: "walks in the sun", fullname: "" };
  return (await world.edgehelm.call(world.admin, createUser, request)).userId;
}

/** Calls an operation without any field. Returns the reason of its error; undefined if it succeeds. */
async function reasonOf(
  userId: bigint,
  operation: ReturnType<typeof operations>[number],
  wire: (typeof WIRES)[number],
) {
  try {
    await world.edgehelm.call(as.user(userId), operation.method as never, {}, wire);
    return undefined;
  } catch (error) {
    return (error as { reason: string }).reason;
  }
}

describe("every operation of users", () => {
  test("does an act that states know; those that only find do not create", () => {
    const findings = operations().flatMap(({ path, act }) => {
      const isFind = /\/(find|list|count|check|compose|sum|export|download)(?!NSDomainVerifyingInfo)/.test(path);
      const isKnown = (ALL_ACTS as readonly string[]).includes(act);
      return isKnown && (!isFind || act === "read") ? [] : [`${path}: ${act}`];
    });
    expect(findings).toEqual([]);
  });

  test("is refused to a suspended user over every wire, except those with which they read, pay and sign in", async () => {
    const userId = await newUser("owing");
    await world.edgehelm.call(as.user(userId), renewUserServersState, {});
    overdue.add(userId);
    await world.edgehelm.call(world.admin, renewUserServersState, { userId });
    const wrong: string[] = [];
    let refused = 0;
    for (const operation of operations()) {
      for (const wire of WIRES) {
        const isRefused = await reasonOf(userId, operation, wire) === "user.state_forbids";
        if (isRefused) refused++;
        if (isRefused === ALLOWED.includes(operation.act)) wrong.push(`${wire} ${operation.path}: ${operation.act}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(refused).toBeGreaterThan(100);
    overdue.delete(userId);
    await world.edgehelm.call(world.admin, renewUserServersState, { userId });
    for (const operation of operations()) {
      expect(await reasonOf(userId, operation, "http")).not.toBe("user.state_forbids");
    }
  });

  test("is refused to a user who is turned off, whatever the credential", async () => {
    const [username, userId] = ["off", await newUser("off")];
    await world.edgehelm.call(as.user(userId), UserService.method.findEnabledUser, {});
    await world.edgehelm.call(world.admin, updateUser, { userId, username, isOn: false });
    for (const operation of operations().slice(0, 3)) {
      expect(await reasonOf(userId, operation, "http")).toMatch(/^(kernel\.token_invalid|access_token\.refused)$/);
    }
  });
});
