import { testKernel } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import user from "../../../plugins/user/plugin.ts";
import { call, deriveAll, newUser, overdue, registeredUser, states, useStates } from "./states_rig.ts";

useStates({ requireVerification: true, suspendedMay: ["sign_in", "read", "serve_dns"] });

test("users create and purchase only after they were verified, if the installation requires it", async () => {
  const [ada, bob] = [await registeredUser("ada"), await newUser("bob")];
  for (const act of ["create", "purchase", "serve_sites"] as const) {
    expect(await states.allowed(call(), [ada, bob], act)).toEqual(new Set([bob]));
  }
  for (const act of ["sign_in", "read", "pay"] as const) {
    expect(await states.allowed(call(), [ada, bob], act)).toEqual(new Set([ada, bob]));
  }
});

test("a suspended user may do what the installation says", async () => {
  const ada = await newUser("ada");
  overdue.add(ada);
  await deriveAll();
  for (const act of ["read", "serve_dns"] as const) {
    expect(await states.allowed(call(), [ada], act)).toEqual(new Set([ada]));
  }
  for (const act of ["pay", "create"] as const) expect(await states.allowed(call(), [ada], act)).toEqual(new Set());
});

describe("the setting suspendedMay", () => {
  test.each([
    [["read", "dance"], 'suspendedMay[1]: must be one of .*serve_dns, nothing, got "dance"'],
    [["nothing", "read"], "suspendedMay: must not name nothing with others"],
  ])("refuses %j", async (suspendedMay, message) => {
    await expect(testKernel({ plugins: [user], config: { user: { suspendedMay } } })).rejects.toThrow(
      new RegExp(message.replace(/[[\]]/g, "\\$&")),
    );
  });
});
