import { describe, expect, test } from "vitest";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import {
  call,
  calls,
  deriveAll,
  edgehelm,
  failing,
  newUser,
  overdue,
  registeredUser,
  root,
  stateOf,
  states,
  useStates,
} from "./states_rig.ts";

const { checkUserServersState, deleteUser, updateUser, verifyUser } = UserService.method;

useStates();

const turn = (userId: bigint, isOn: boolean) => edgehelm.call(root, updateUser, { userId, username: "ada", isOn });
const verify = (userId: bigint, isRejected = false) => edgehelm.call(root, verifyUser, { userId, isRejected });

describe("the one state of a user", () => {
  test("is the first that applies, and what was hidden by it returns", async () => {
    const userId = await registeredUser("ada");
    expect(await stateOf(userId)).toBe("unverified");
    await verify(userId);
    expect(await stateOf(userId)).toBe("verified");
    overdue.add(userId);
    await states.derive(call(), [userId]);
    expect(await stateOf(userId)).toBe("suspended");
    await turn(userId, false);
    expect(await stateOf(userId)).toBe("off");
    await verify(userId, true);
    expect(await stateOf(userId)).toBe("rejected");
    await verify(userId);
    expect(await stateOf(userId)).toBe("off");
    await turn(userId, true);
    expect(await stateOf(userId)).toBe("suspended");
    overdue.clear();
    await edgehelm.call(root, deleteUser, { userId });
    expect(await stateOf(userId)).toBe("deleted");
    expect(calls.map(([, state]) => state))
      .toEqual(["verified", "suspended", "off", "rejected", "off", "suspended", "deleted"]);
  });

  test("of a user who never existed is none, and allows nothing", async () => {
    expect(await stateOf(99n)).toBeUndefined();
    expect(await states.allowed(call(), [99n], "read")).toEqual(new Set());
    await expect(states.require(call(), 99n, "read")).rejects.toMatchObject({ reason: "user.not_found" });
  });

  test("is derived each minute: who owes is suspended, and who has paid is served again, listeners are called once", async () => {
    const [ada, bob] = [await newUser("ada"), await newUser("bob")];
    overdue.add(ada);
    for (let times = 0; times < 2; times++) await deriveAll();
    expect([await stateOf(ada), await stateOf(bob)]).toEqual(["suspended", "verified"]);
    expect((await edgehelm.call(root, checkUserServersState, { userId: ada })).isEnabled).toBe(false);
    overdue.clear();
    for (let times = 0; times < 2; times++) await deriveAll();
    expect((await edgehelm.call(root, checkUserServersState, { userId: ada })).isEnabled).toBe(true);
    expect(calls).toEqual([[ada, "suspended"], [ada, "verified"]]);
  });

  test("and what follows from it change together or not at all", async () => {
    const ids = [await newUser("ada"), await newUser("bob")];
    for (const id of ids) overdue.add(id);
    failing.add(ids[1]!);
    await expect(states.derive(call(), ids)).rejects.toThrow("killed");
    expect(await Promise.all(ids.map(stateOf))).toEqual(["verified", "verified"]);
    failing.clear();
    await deriveAll();
    expect(await Promise.all(ids.map(stateOf))).toEqual(["suspended", "suspended"]);
  });
});

describe("a state allows", () => {
  const ACTS = ["sign_in", "read", "pay", "purchase", "create", "serve_sites", "serve_dns"] as const;
  const allowedTo = async (userId: bigint) => {
    const found = await Promise.all(ACTS.map((act) => states.allowed(call(), [userId], act)));
    return ACTS.filter((_act, index) => found[index]!.has(userId));
  };

  test("everything to verified and unverified users, an account to suspended ones, and nothing to others", async () => {
    const userId = await registeredUser("ada");
    expect(await allowedTo(userId)).toEqual(ACTS);
    await verify(userId);
    expect(await allowedTo(userId)).toEqual(ACTS);
    overdue.add(userId);
    await deriveAll();
    expect(await allowedTo(userId)).toEqual(["sign_in", "read", "pay"]);
    await turn(userId, false);
    expect(await allowedTo(userId)).toEqual([]);
    await verify(userId, true);
    expect(await allowedTo(userId)).toEqual([]);
    await edgehelm.call(root, deleteUser, { userId });
    expect(await allowedTo(userId)).toEqual([]);
  });

  test("what it allows; anything else is refused with the state and the act", async () => {
    const userId = await newUser("ada");
    overdue.add(userId);
    await deriveAll();
    await states.require(call(), userId, "pay");
    await expect(states.require(call(), userId, "purchase")).rejects.toMatchObject({
      reason: "user.state_forbids",
      message: `permission denied: user ${userId} is suspended for money that is overdue (suspended), ` +
        "which does not allow to purchase (purchase)",
    });
  });
});
