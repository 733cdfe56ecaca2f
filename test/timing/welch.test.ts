import { as, testKernel } from "edgehelm/testing";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import admin from "../../plugins/admin/plugin.ts";
import apiAccessToken from "../../plugins/api_access_token/plugin.ts";
import userAccessKey from "../../plugins/user_access_key/plugin.ts";
import { UserAccessKeyService } from "../../plugins/user_access_key/proto/service_user_access_key_pb.ts";
import { openTestDatabase } from "../harness/database.ts";
import { withStatementLog } from "../harness/statement_log.ts";
import { compare, isTellingApart } from "./comparison.ts";
import { Moments, welchT } from "./welch.ts";

/** Returns durations around 1000 us with a long tail, the same in every run. */
function durations(): () => number {
  let state = 42n;
  const uniform = () => {
    state = (state * 6364136223846793005n + 1442695040888963407n) % 2n ** 64n;
    return (Number(state >> 11n) + 0.5) / 2 ** 53;
  };
  return () => 1000 - 300 * Math.log(uniform());
}

describe("the comparison of durations", () => {
  test("computes the statistic of Welch's test", () => {
    const [first, second] = [new Moments(), new Moments()];
    for (const sample of [1, 2, 3]) first.add(sample);
    for (const sample of [2, 4, 6, 8]) second.add(sample);
    expect([first.count, first.mean, first.variance]).toEqual([3, 2, 1]);
    expect([second.count, second.mean, second.variance]).toEqual([4, 5, expect.closeTo(20 / 3, 9)]);
    expect(welchT(first, second)).toBeCloseTo(-3 / Math.sqrt(1 / 3 + 20 / 3 / 4), 9);
  });

  test("finds a planted difference of 20 us, and none where there is none", async () => {
    const next = durations();
    expect(isTellingApart(await compare(100_000, next))).toBe(false);
    const planted = await compare(100_000, (action) => next() + action * 20);
    expect(planted.counts).toEqual([100_000, 100_000]);
    expect(Math.abs(planted.t)).toBeGreaterThan(4.5);
    expect(isTellingApart(planted)).toBe(true);
  });
});

test("an exchange does the same work for an unknown key as for a wrong secret", async () => {
  const directory = await mkdtemp(join(tmpdir(), "edgehelm-timing-"));
  const plugins = [admin, apiAccessToken, userAccessKey];
  const work: string[] = [];
  const log = (owner: string, engine: Awaited<ReturnType<typeof openTestDatabase>>) =>
    withStatementLog(engine, owner, ({ sql }) => work.push(sql));
  const engine = log("kernel", log("user_access_key", await openTestDatabase(directory)));
  const edgehelm = await testKernel({ plugins, engine, directory });
  const { uniqueId } = await edgehelm.call(as.admin(), UserAccessKeyService.method.createUserAccessKey, {
    adminId: 1n,
  });
  for (const name of ["digest", "encrypt", "decrypt"] as const) {
    const original = crypto.subtle[name].bind(crypto.subtle) as (...args: unknown[]) => Promise<ArrayBuffer>;
    vi.spyOn(crypto.subtle, name).mockImplementation((...args: unknown[]) => {
      work.push(name);
      return original(...args);
    });
  }
  async function workOf(accessKeyId: string): Promise<string[]> {
    work.length = 0;
    const body = { type: "admin", accessKeyId, accessKey: "0".repeat(32) };
    expect(await edgehelm.post("/APIAccessTokenService/getAPIAccessToken", body)).toMatchObject({ code: 401 });
    return [...work];
  }
  const known = await workOf(uniqueId);
  expect(known.filter((step) => step === "digest").length).toBeGreaterThan(2);
  expect(known.filter((step) => step === "decrypt")).toHaveLength(1);
  expect(await workOf("0".repeat(16))).toEqual(known);
  vi.restoreAllMocks();
  await edgehelm.stop();
  await rm(directory, { recursive: true, force: true });
});
