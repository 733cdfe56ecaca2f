import { rm } from "node:fs/promises";
import { ConnectError, createClient } from "@connectrpc/connect";
import { definePlugin } from "edgehelm";
import { CredentialSources } from "edgehelm/auth";
import { as, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import admin from "../../../../plugins/admin/plugin.ts";
import { AdminService } from "../../../../plugins/admin/proto/service_admin_pb.ts";
import apiAccessToken from "../../../../plugins/api_access_token/plugin.ts";
import { ErrorInfoSchema } from "../../../../proto/google/rpc/error_details_pb.ts";
import { transportOver } from "../../../harness/wire.ts";

/** Accepts every key but `unknown` with the secret `right`. */
const keys = definePlugin({
  manifest: {
    name: "keys",
    version: "1.0.0",
    kernel: "^1",
    services: [],
    tables: [],
    contributes: ["kernel.credential_sources"],
  },
  setup: ({ contribute }) =>
    contribute(CredentialSources, {
      name: "keys",
      roles: ["admin"],
      verify: (_call, _role, keyId, secret) =>
        Promise.resolve(secret === "right" && keyId !== "unknown" ? { subjectId: 1n, keyId: 1n } : undefined),
      isLive: () => Promise.resolve(true),
    }),
});

const limits = { loginFailures: 3, loginFailuresPerAddress: 6, loginSeconds: 30 };

const plugins = [keys, apiAccessToken, admin];
const http = { behindProxy: true };

let clock: TestClock;
let edgehelm: TestKernel;
beforeEach(async () => {
  clock = new TestClock();
  edgehelm = await testKernel({ plugins, clock, limits, http });
});
afterEach(() => edgehelm[Symbol.asyncDispose]());

/** Requests a token. Returns the code of the response and its Retry-After header. */
async function login(accessKeyId: string, accessKey: string, from = "192.0.2.1"): Promise<[number, string | null]> {
  const body = JSON.stringify({ type: "admin", accessKeyId, accessKey });
  const headers = { "x-forwarded-for": from };
  const url = "http://edgehelm.test/APIAccessTokenService/getAPIAccessToken";
  const response = await edgehelm.fetch(new Request(url, { method: "POST", headers, body }));
  return [(await response.json()).code, response.headers.get("retry-after")];
}

async function fail(accessKeyId: string, times: number, from?: string): Promise<void> {
  for (let time = 0; time < times; time++) expect(await login(accessKeyId, "wrong", from)).toEqual([401, null]);
}

describe("access keys", () => {
  test("are refused for a while after too many wrong secrets, even with the right secret", async () => {
    await fail("k1", 3);
    expect(await login("k1", "wrong")).toEqual([429, "10"]);
    expect(await login("k1", "right")).toEqual([429, "10"]);
    expect(await login("k2", "right")).toEqual([200, null]);
    clock.advance(10);
    expect(await login("k1", "right")).toEqual([200, null]);
  });

  test("are never locked by another caller: the right secret from elsewhere is accepted while guesses continue", async () => {
    for (let round = 0; round < 5; round++) {
      await fail("k1", round === 0 ? 3 : 1, "198.51.100.7");
      expect(await login("k1", "wrong", "198.51.100.7")).toEqual([429, "10"]);
      expect(await login("k1", "right", "192.0.2.2")).toEqual([200, null]);
      expect(await login("k1", "right", "2001:db8::1")).toEqual([200, null]);
      clock.advance(10);
    }
  });

  test("that do not exist are treated alike", async () => {
    await fail("unknown", 3);
    expect(await login("unknown", "right")).toEqual([429, "10"]);
  });

  test("are refused from an address with too many failures, but not from others", async () => {
    for (const key of ["a", "b", "c"]) await fail(key, 2);
    expect(await login("d", "right")).toEqual([429, "5"]);
    expect(await login("d", "right", "192.0.2.2")).toEqual([200, null]);
  });

  test.each([
    ["one /64", (time: number) => `2001:db8:1:2::${time}`],
    ["one /48", (time: number) => `2001:db8:1:${time}::1`],
  ])("are refused from %s with too many failures, whatever the address and the key", async (_case, address) => {
    const codes = [];
    for (let time = 1; time <= 20; time++) codes.push((await login(`key ${time}`, "wrong", address(time)))[0]);
    expect(codes.filter((code) => code === 401)).toHaveLength(6);
    expect(await login("k1", "right", address(99))).toEqual([429, "5"]);
    expect(await login("k1", "right", "2001:db8:2::1")).toEqual([200, null]);
  });

  test("take a second longer for everybody after too many failures in the installation, but are not refused", async () => {
    await edgehelm[Symbol.asyncDispose]();
    edgehelm = await testKernel({ plugins, clock, http, limits: { ...limits, loginFailuresTotal: 5 } });
    const after = vi.spyOn(clock, "after");
    for (let time = 0; time < 5; time++) await fail(`key ${time}`, 1, `198.51.100.${time}`);
    expect(after).not.toHaveBeenCalledWith(1000, expect.anything());
    for (const [secret, code] of [["right", 200], ["wrong", 401]] as const) {
      after.mockClear();
      const response = login("k1", secret, "192.0.2.9");
      await vi.waitFor(() => expect(after).toHaveBeenCalledWith(1000, expect.anything()));
      clock.advance(1);
      expect(await response).toEqual([code, null]);
    }
    clock.advance(30);
    expect(await login("k1", "right")).toEqual([200, null]);
  });

  test("can be exchanged any number of times concurrently with the right secret", async () => {
    await fail("k1", 2);
    const responses = await Promise.all(Array.from({ length: 50 }, () => login("k1", "right")));
    expect(new Set(responses.map(([code]) => code))).toEqual(new Set([200]));
  });

  test("allow no more concurrent failures than sequential ones", async () => {
    const responses = await Promise.all(Array.from({ length: 40 }, () => login("k1", "wrong")));
    expect(responses.filter(([code]) => code === 401)).toHaveLength(3);
    expect(responses.filter(([code]) => code === 429)).toHaveLength(37);
  });

  test("stay refused after a restart on the same database", async () => {
    await fail("k1", 2);
    await edgehelm.stop();
    const { directory } = edgehelm;
    edgehelm = await testKernel({ plugins, clock, limits, directory, http });
    await fail("k1", 1);
    expect(await login("k1", "right")).toEqual([429, "10"]);
    clock.advance(30);
    await edgehelm.kernel.runJob("kernel.prune");
    expect(await login("k1", "right")).toEqual([200, null]);
    await edgehelm.stop();
    await rm(directory, { recursive: true, force: true });
    edgehelm = await testKernel({ plugins: [], clock });
  });

  test("of any length are counted", async () => {
    await fail("k".repeat(5000), 3);
    expect(await login("k".repeat(5000), "right")).toEqual([429, "10"]);
  });
});

describe("passwords", () => {
  const { createAdmin, loginAdmin } = AdminService.method;
  const password = "correct horse battery";

  test("are refused for a username with too many failures, but not for others", async () => {
    const create = (username: string, isSuper: boolean) =>
      edgehelm.call(as.admin(), createAdmin, { username, password, isSuper, canLogin: true });
    await create("ada", false);
    const { adminId: bob } = await create("bob", true);
    for (const username of ["ada", "Ada ", "ada"]) {
      expect(await edgehelm.call(as.admin(), loginAdmin, { username, password: "wrong password" }))
        .toMatchObject({ isOk: false });
    }
    await expect(edgehelm.call(as.admin(), loginAdmin, { username: "ada", password }))
      .rejects.toMatchObject({ code: 429, reason: "kernel.too_many_attempts" });
    expect(await edgehelm.call(as.admin(), loginAdmin, { username: "bob", password })).toMatchObject({ isOk: true });
    expect(await edgehelm.call(as.admin(), loginAdmin, { username: "ada", password, ip: "192.0.2.2" }))
      .toMatchObject({ isOk: true });
    expect(await edgehelm.call(as.admin(bob), loginAdmin, { username: "ada", password })).toMatchObject({ isOk: true });
    clock.advance(10);
    expect(await edgehelm.call(as.admin(), loginAdmin, { username: "ada", password })).toMatchObject({ isOk: true });
  });

  test("of many names through a console without addresses do not lock out the console", async () => {
    const create = { username: "ada", password, isSuper: true, canLogin: true };
    await edgehelm.call(as.admin(), createAdmin, create);
    for (let time = 0; time < 4 * limits.loginFailuresPerAddress; time++) {
      const guess = { username: `name ${time % 8}`, password: "a guess" };
      expect(await edgehelm.call(as.admin(), loginAdmin, guess)).toMatchObject({ isOk: false });
    }
    expect(await edgehelm.call(as.admin(), loginAdmin, { username: "ada", password })).toMatchObject({ isOk: true });
  });

  test("are refused over Connect with the time to wait", async () => {
    const token = await edgehelm.token(as.admin());
    const client = createClient(AdminService, transportOver("connect", edgehelm.fetch, token));
    const attempt = () => client.loginAdmin({ username: "unknown", password });
    for (let time = 0; time < 3; time++) await attempt();
    const error = ConnectError.from(await attempt().catch((thrown) => thrown));
    expect(error.findDetails(ErrorInfoSchema)[0]).toMatchObject({
      reason: "kernel.too_many_attempts",
      metadata: { retryAfterSeconds: "10" },
    });
    expect(error.metadata.get("retry-after")).toBe("10");
  });
});

describe("a lock is lifted, on every instance,", () => {
  const release = (...args: string[]) => {
    const command = edgehelm.kernel.commands.find(({ name }) => name === "logins release")!;
    return command.run(edgehelm.kernel.systemCall("test"), args);
  };

  test("for a key by a command, and later failures count again", async () => {
    await fail("k1", 3);
    clock.advance(0.001);
    expect(await release("K1")).toEqual(['forgot the failed logins of "K1"']);
    clock.advance(0.001);
    await fail("k1", 3);
    expect(await login("k1", "right")).toEqual([429, "10"]);
    await expect(release()).rejects.toMatchObject({ kind: "invalid" });
  });

  test("for an address by a command", async () => {
    for (let time = 0; time < 6; time++) await fail(`key ${time}`, 1, "2001:db8::1");
    expect(await login("k1", "right", "2001:db8::1")).toEqual([429, "5"]);
    await release("2001:db8::1");
    expect(await login("k1", "right", "2001:db8::1")).toEqual([200, null]);
  });

  test("for an admin when another one saves them", async () => {
    const { createAdmin, loginAdmin, updateAdmin } = AdminService.method;
    const login = { username: "ada", password: "correct horse battery" };
    const { adminId } = await edgehelm.call(as.admin(), createAdmin, { ...login, canLogin: true });
    for (let time = 0; time < 3; time++) {
      await edgehelm.call(as.admin(), loginAdmin, { ...login, password: "wrong password" });
    }
    await expect(edgehelm.call(as.admin(), loginAdmin, login)).rejects.toMatchObject({ code: 429 });
    await edgehelm.call(as.admin(), updateAdmin, { adminId, username: "ada", isOn: true, canLogin: true });
    expect(await edgehelm.call(as.admin(), loginAdmin, login)).toMatchObject({ isOk: true });
  });
});
