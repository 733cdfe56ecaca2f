import { defineErrors, definePlugin } from "edgehelm";
import { AccessTokens, CallerStandings } from "edgehelm/auth";
import { as, testKernel, WIRES } from "edgehelm/testing";
import { expect, test } from "vitest";
import { ProbeService } from "../../fixtures/probe/proto/probe_pb.ts";
import { probePlugin } from "../probe.ts";

const { look, change } = ProbeService.method;
const errors = defineErrors("money", { owing: ["forbidden", (act: string) => `permission denied: may not ${act}`] });

const owing = new Set<bigint>();
const banned = new Set<bigint>();
let tokens: AccessTokens;
const money = definePlugin({
  manifest: {
    name: "money",
    version: "1.0.0",
    kernel: "^1",
    services: [],
    tables: [],
    contributes: ["kernel.caller_standings"],
  },
  requires: { tokens: AccessTokens },
  setup({ deps, contribute }) {
    tokens = deps.tokens;
    contribute(CallerStandings, {
      role: "user",
      standingOf(_call, userId) {
        if (banned.has(userId)) return Promise.resolve(false);
        const limits = { errorFor: (act: string) => act === "read" ? undefined : errors.owing(act) };
        return Promise.resolve(!owing.has(userId) || limits);
      },
    });
  },
});

test.each(WIRES)("over %s a caller's tokens allow what the caller may do at present", async (wire) => {
  for (const set of [owing, banned]) set.clear();
  await using edgehelm = await testKernel({ plugins: [probePlugin(() => ({})), money] });
  const recheck = () => edgehelm.kernel.systemCall("test").transact((inner) => tokens.recheck(inner));
  const [ada, bob] = [as.user(7n), as.user(8n)];
  expect(await edgehelm.call(ada, change, {}, wire)).toBeDefined();
  owing.add(7n);
  await recheck();
  expect(await edgehelm.call(ada, look, {}, wire)).toBeDefined();
  await expect(edgehelm.call(ada, change, {}, wire)).rejects.toMatchObject({
    code: 403,
    reason: "money.owing",
    message: "permission denied: may not create",
  });
  expect(await edgehelm.call(bob, change, {}, wire)).toBeDefined();
  expect(await edgehelm.call(as.admin(7n), change, {}, wire)).toBeDefined();
  banned.add(7n);
  await recheck();
  await expect(edgehelm.call(ada, look, {}, wire)).rejects.toMatchObject({ code: 401 });
  for (const set of [owing, banned]) set.clear();
  expect(await edgehelm.call(ada, change, {}, wire)).toBeDefined();
});
