import { type Call, definePlugin } from "edgehelm";
import { AccessTokens, type AdminAccess, AdminDirectories, CredentialSources } from "edgehelm/auth";
import { as, type TestKernel, testKernel, WIRES } from "edgehelm/testing";
import { afterEach, describe, expect, test, vi } from "vitest";
import { openRemoteEngine, type RemoteEngine } from "../../../core/storage/remote/engine.ts";
import { ProbeService } from "../../fixtures/probe/proto/probe_pb.ts";
import { sqldRuns } from "../../servers/sqld.ts";
import { plugin } from "../kernel/rig.ts";
import { probePlugin } from "../probe.ts";
import { temporarySqld } from "../storage/engines.ts";

const { look, change, reach } = ProbeService.method;

/** The rights of each admin, as a plugin stores them. */
const stored = new Map<bigint, AdminAccess | undefined>();
const allows = (...modules: string[]): AdminAccess => ({ isSuper: false, modules });

/** A plugin that stores admins and accepts every key of theirs. */
function admins(onSetup: (tokens: AccessTokens) => void) {
  return definePlugin({
    manifest: {
      name: "admins",
      version: "1.0.0",
      kernel: "^1",
      services: [],
      tables: [],
      contributes: ["kernel.admin_directories", "kernel.credential_sources"],
    },
    requires: { tokens: AccessTokens },
    setup({ deps: { tokens }, contribute }) {
      onSetup(tokens);
      contribute(AdminDirectories, { access: (_call, id) => Promise.resolve(stored.get(id)) });
      contribute(CredentialSources, {
        name: "admins",
        roles: ["admin"],
        verify: (_call, _role, keyId) => Promise.resolve({ subjectId: BigInt(keyId), keyId: 1n }),
        isLive: () => Promise.resolve(true),
      });
    },
  });
}

/** A plugin whose stream stays open until its signal aborts. */
const streamPlugin = probePlugin(() => ({
  async *tell(_request, call) {
    yield { text: "open" };
    await new Promise((resolve) => call.signal.addEventListener("abort", resolve));
  },
}));

const kernels: TestKernel[] = [];
afterEach(async () => {
  for (const kernel of kernels.splice(0)) await kernel[Symbol.asyncDispose]();
});

async function startInstance(engine?: RemoteEngine) {
  let tokens: AccessTokens | undefined;
  const plugins = [admins((contract) => tokens = contract), streamPlugin];
  const edgehelm = await testKernel({ plugins, ...(engine && { engine }) });
  kernels.push(edgehelm);
  const call = (): Call => edgehelm.kernel.systemCall("test");
  return {
    token: async (id: bigint) => (await tokens!.issue(call(), "admin", String(id), "")).token,
    store(id: bigint, access: AdminAccess | undefined) {
      stored.set(id, access);
      return call().transact((inner) => tokens!.recheck(inner));
    },
    async open(token: string) {
      const { dispatch, operations } = edgehelm.kernel;
      const operation = operations.find("/ProbeService/tell")!;
      const stream = dispatch.stream(operation, { token, requestId: "stream" }, { text: "", number: 0n });
      expect((await stream.next()).value).toMatchObject({ text: "open" });
      return stream;
    },
    async code(token: string, path: string): Promise<number> {
      const headers = { "x-cloud-access-token": token };
      const request = new Request(`http://edgehelm.test${path}`, { method: "POST", headers, body: "{}" });
      return (await (await edgehelm.fetch(request)).json()).code;
    },
  };
}

const LOOK = "/ProbeService/look";
const CHANGE = "/ProbeService/change";
const REACH = "/ProbeService/reach";

describe.each(WIRES)("over %s", (wire) => {
  test("an admin may call what one of their modules allows, and what every admin may call", async () => {
    await using edgehelm = await testKernel({
      plugins: [streamPlugin],
      admins: { 2: ["sight"], 3: ["other"], 4: [] },
    });
    const outcome = (id: bigint, method: typeof look | typeof change | typeof reach) =>
      edgehelm.call(as.admin(id), method, {}, wire).then(() => 200, ({ code, reason }) => `${code} ${reason}`);
    for (const method of [look, change, reach]) expect(await outcome(1n, method)).toBe(200);
    expect(await outcome(2n, look)).toBe(200);
    expect(await outcome(2n, reach)).toBe(200);
    expect(await outcome(2n, change)).toBe("403 kernel.super_required");
    for (const id of [3n, 4n]) {
      expect(await outcome(id, look)).toBe("403 kernel.module_required");
      expect(await outcome(id, reach)).toBe(200);
      expect(await outcome(id, change)).toBe("403 kernel.super_required");
    }
    await expect(edgehelm.call(as.admin(4n), look, {}, wire)).rejects.toMatchObject({
      message:
        'permission denied: this admin may not call /ProbeService/look, which requires the module "probe" or "sight"',
    });
    await expect(edgehelm.call(as.admin(4n), change, {}, wire)).rejects.toMatchObject({
      message: "permission denied: only a super admin may call /ProbeService/change",
    });
    expect(await edgehelm.call(as.user(7n), look, {}, wire)).toBeDefined();
    expect(await edgehelm.call(as.user(7n), change, {}, wire)).toBeDefined();
  });
});

test("a stream is refused to an admin without its module", async () => {
  stored.set(1n, allows("sight"));
  const instance = await startInstance();
  await expect(instance.open(await instance.token(1n))).rejects.toMatchObject({ reason: "kernel.module_required" });
});

test("a change of access takes effect on tokens that were issued before", async () => {
  stored.set(1n, allows("sight"));
  const instance = await startInstance();
  const token = await instance.token(1n);
  expect(await instance.code(token, LOOK)).toBe(200);
  await instance.store(1n, allows());
  expect(await instance.code(token, LOOK)).toBe(403);
  expect(await instance.code(token, REACH)).toBe(200);
  await instance.store(1n, { isSuper: true, modules: [] });
  expect(await instance.code(token, CHANGE)).toBe(200);
  await instance.store(1n, undefined);
  expect(await instance.code(token, REACH)).toBe(401);
});

test("no token is issued to an admin whom the directory does not know or turned off", async () => {
  const instance = await startInstance();
  await expect(instance.token(404n)).rejects.toMatchObject({ reason: "access_token.refused" });
});

test("an open stream ends when its admin loses the module for it, and no other", async () => {
  stored.set(1n, allows("probe"));
  stored.set(2n, allows("probe"));
  const instance = await startInstance();
  const first = (await instance.open(await instance.token(1n))).next();
  const second = (await instance.open(await instance.token(2n))).next();
  await instance.store(1n, allows("sight"));
  await expect(first).rejects.toMatchObject({ reason: "kernel.module_required" });
  await instance.store(2n, undefined);
  await expect(second).rejects.toMatchObject({ kind: "unauthenticated" });
});

test("calls of an unchanged admin do not ask the directory again", async () => {
  const access = vi.spyOn(stored, "get");
  stored.set(1n, allows("sight"));
  const instance = await startInstance();
  const token = await instance.token(1n);
  await instance.code(token, LOOK);
  access.mockClear();
  for (let count = 0; count < 10; count++) expect(await instance.code(token, LOOK)).toBe(200);
  expect(access).not.toHaveBeenCalled();
  access.mockRestore();
});

test("only one plugin may store admins", async () => {
  const second = plugin("second", {
    more: { contributes: ["kernel.admin_directories"] },
    setup: ({ contribute }) => contribute(AdminDirectories, { access: () => Promise.resolve(undefined) }),
  });
  await expect(testKernel({ plugins: [admins(() => {}), second] })).rejects.toThrow(
    'plugin "second" contributes to "kernel.admin_directories", to which another plugin already contributes',
  );
});

test.skipIf(!sqldRuns())("a change of access takes effect on another instance within a second", async () => {
  const sqld = await temporarySqld();
  stored.set(1n, allows("sight"));
  const first = await startInstance(await openRemoteEngine({ url: sqld.url }));
  const second = await startInstance(await openRemoteEngine({ url: sqld.url }));
  const token = await first.token(1n);
  expect(await second.code(token, LOOK)).toBe(200);
  await first.store(1n, allows());
  const changedAt = performance.now();
  for (;;) {
    const startedAt = performance.now();
    if (await second.code(token, LOOK) === 403) break;
    expect(startedAt - changedAt, "a call that began a second later was allowed").toBeLessThan(1000);
  }
});
