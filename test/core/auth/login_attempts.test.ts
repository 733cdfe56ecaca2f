import { rm } from "node:fs/promises";
import { ConnectError, createClient } from "@connectrpc/connect";
import { definePlugin } from "edgehelm";
import { CredentialSources } from "edgehelm/auth";
import { as, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import admin from "../../../plugins/admin/plugin.ts";
import { AdminService } from "../../../plugins/admin/proto/service_admin_pb.ts";
import apiAccessToken from "../../../plugins/api_access_token/plugin.ts";
import { ErrorInfoSchema } from "../../../proto/google/rpc/error_details_pb.ts";
import { transportOver } from "../../harness/wire.ts";

/** Accepts every key but `unknown` with the secret `right`. */
const keys = definePlugin({
  manifest: { name: "keys", version: "1.0.0", kernel: "^1", services: [], tables: [] },
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

let clock: TestClock;
let edgehelm: TestKernel;
beforeEach(async () => {
  clock = new TestClock();
  edgehelm = await testKernel({ plugins: [keys, apiAccessToken, admin], clock, limits, http: { behindProxy: true } });
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
    expect(await login("k1", "right", "192.0.2.2")).toEqual([429, "10"]);
    expect(await login("k2", "right", "192.0.2.2")).toEqual([200, null]);
    clock.advance(10);
    expect(await login("k1", "right")).toEqual([200, null]);
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
    edgehelm = await testKernel({ plugins: [keys, apiAccessToken, admin], clock, limits, directory });
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
    for (const username of ["ada", "bob"]) {
      await edgehelm.call(as.admin(), createAdmin, { username, password, canLogin: true });
    }
    for (const username of ["ada", "Ada ", "ada"]) {
      expect(await edgehelm.call(as.admin(), loginAdmin, { username, password: "wrong password" }))
        .toMatchObject({ isOk: false });
    }
    await expect(edgehelm.call(as.admin(), loginAdmin, { username: "ada", password }))
      .rejects.toMatchObject({ code: 429, reason: "kernel.too_many_attempts" });
    expect(await edgehelm.call(as.admin(), loginAdmin, { username: "bob", password })).toMatchObject({ isOk: true });
    clock.advance(10);
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
