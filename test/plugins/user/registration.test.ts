import { definePlugin } from "edgehelm";
import { TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RegistrationForm, UserRegistrations } from "../../../plugins/user/contract.ts";
import user from "../../../plugins/user/plugin.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import { root } from "./rig.ts";

const { findEnabledUser, listEnabledUsers } = UserService.method;

let registrations: UserRegistrations;
const probe = definePlugin({
  manifest: { name: "probe", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  requires: { registrations: UserRegistrations },
  setup({ deps }) {
    ({ registrations } = deps);
  },
});

const clock = new TestClock();
let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({
    plugins: [user, probe],
    clock,
    config: { user: { registration: true, registrationsPerAddress: 2, registrationsPerDay: 5 } },
  });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

let people = 0;

function form(fields: Partial<RegistrationForm> = {}): RegistrationForm {
  const username = `person${++people}`;
  return {
    username,
    password: "correct horse",
    fullname: "A Person",
    email: "a@person.example",
    mobile: "",
    ...fields,
  };
}

/** Registers as an anonymous visitor from an address does. */
async function register(address: string, fields: Partial<RegistrationForm> = {}): Promise<bigint> {
  const { call, end } = edgehelm.kernel.receivedCall("/register", address);
  try {
    return await registrations.register(call, form(fields));
  } finally {
    end();
  }
}

const nextDay = () => clock.advance(86_401);

describe("a registration", () => {
  test("creates a user who is not verified, with the address of the caller", async () => {
    const userId = await register("192.0.2.1", { username: "ada", mobile: "+49 30 1" });
    const { user: made } = await edgehelm.call(root, findEnabledUser, { userId });
    expect(made).toMatchObject({
      ...{ username: "ada", fullname: "A Person", email: "a@person.example", mobile: "+49 30 1" },
      ...{ isVerified: false, isOn: true, registeredIP: "192.0.2.1" },
    });
  });

  test.each<[Partial<RegistrationForm>, string]>([
    [{ username: "a b" }, "username: must be 2 to 64 letters"],
    [{ password: "short" }, "password: must have at least 8 characters"],
    [{ fullname: " " }, "fullname: "],
    [{ email: "ada" }, 'email: must be an email address such as ada@example.com, got "ada"'],
    [{ email: "" }, "email: must be an email address"],
    [{ mobile: "1".repeat(33) }, "mobile: "],
  ])("with %o is refused, and costs nothing", async (fields, message) => {
    nextDay();
    for (let index = 0; index < 3; index++) {
      await expect(register("192.0.2.2", fields)).rejects.toThrow(message);
    }
    await register("192.0.2.2");
  });

  test("with a taken name is refused whatever its case, and after ten of them every name is refused alike", async () => {
    nextDay();
    const reasons = [];
    for (let index = 0; index < 12; index++) {
      reasons.push(await register("192.0.2.3", { username: "ADA" }).catch(({ reason }) => reason));
    }
    expect(new Set(reasons.slice(0, 10))).toEqual(new Set(["user.username_taken"]));
    expect(new Set(reasons.slice(10))).toEqual(new Set(["kernel.too_many_attempts"]));
    await expect(register("192.0.2.3", { username: "free" })).rejects.toMatchObject({
      reason: "kernel.too_many_attempts",
    });
    await register("192.0.2.4");
  });

  test("of the same name at the same time succeeds once, and the others are not counted", async () => {
    nextDay();
    const addresses = ["198.51.100.1", "198.51.100.2", "198.51.100.3", "198.51.100.4"];
    const outcomes = await Promise.allSettled(addresses.map((address) => register(address, { username: "twin" })));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason.reason).toBe("user.username_taken");
    }
    const { users } = await edgehelm.call(root, listEnabledUsers, { keyword: "twin" });
    expect(users).toHaveLength(1);
    for (const address of addresses.slice(0, 4)) await register(address);
    await expect(register("198.51.100.9")).rejects.toMatchObject({ reason: "user.registrations_of_all" });
  });
});

describe("registrations are bounded", () => {
  test("by address, a /64 of IPv6 being one, within 24 hours, and at the same time too", async () => {
    nextDay();
    const outcomes = await Promise.allSettled(
      ["2001:db8::1", "2001:db8::2", "2001:db8:0:0:9::3"].map((address) => register(address)),
    );
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(refused.map(({ reason }) => reason.reason)).toEqual(["user.registrations_of_address"]);
    await expect(register("2001:db8::4")).rejects.toThrow(
      "at most 2 users may register from one address within 24 hours",
    );
    await register("2001:db8:0:1::1");
    nextDay();
    await register("2001:db8::4");
  });

  test("in total", async () => {
    nextDay();
    for (let index = 1; index <= 5; index++) await register(`203.0.113.${index}`);
    await expect(register("203.0.113.9")).rejects.toThrow("at most 5 users may register within 24 hours");
  });

  test.each([{ registrationsPerAddress: -1 }, { registrationsPerAddress: 1001 }, { registrationsPerDay: 100_001 }])(
    "by settings, of which %o stops the start",
    async (config) => {
      await expect(testKernel({ plugins: [user], config: { user: config } })).rejects.toThrow(
        `${Object.keys(config)[0]} must be 0 or 1 to `,
      );
    },
  );
});

test("by default only admins create users", async () => {
  await using other = await testKernel({ plugins: [user, probe] });
  const { call, end } = other.kernel.receivedCall("/register", "192.0.2.1");
  expect(registrations.isOpen).toBe(false);
  await expect(registrations.register(call, form())).rejects.toMatchObject({ reason: "user.registration_closed" });
  end();
});
