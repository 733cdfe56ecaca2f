import { defineExtensionPoint, definePlugin, type ExtensionPoint } from "edgehelm";
import { AccessTokens, CredentialSources } from "edgehelm/auth";
import { FirstStart } from "edgehelm/runtime";
import { as, testKernel } from "edgehelm/testing";
import { expect, test } from "vitest";
import { probePlugin } from "../probe.ts";
import { plugin } from "./rig.ts";

test("two kernels in one process are independent", async () => {
  await using first = await testKernel({ plugins: [probePlugin(() => ({}))] });
  await using second = await testKernel({ plugins: [probePlugin(() => ({}))], key: new Uint8Array(32).fill(9) });
  const token = (await first.token(as.admin()))!;
  const post = (kernel: typeof first) =>
    kernel.fetch(
      new Request("http://edgehelm.test/ProbeService/look", {
        method: "POST",
        headers: { "x-cloud-access-token": token },
      }),
    );
  expect(await (await post(first)).json()).toMatchObject({ code: 200 });
  expect(await (await post(second)).json()).toMatchObject({ code: 401, message: "invalid access token" });
});

test("a wrong installation key prevents the start", async () => {
  await using first = await testKernel({ plugins: [] });
  await first.stop();
  await expect(testKernel({ plugins: [], directory: first.directory, key: new Uint8Array(32).fill(9) }))
    .rejects.toThrow("the installation key does not belong to this database");
});

test("a start function sees the contributions of all plugins, whatever their order", async () => {
  const names: ExtensionPoint<string> = defineExtensionPoint("owner.names");
  let started: readonly string[] | undefined;
  const owner = plugin("owner", {
    setup: ({ onStart, contributions }) => onStart(() => void (started = [...contributions(names)])),
  });
  const contributing = (name: string) =>
    plugin(name, { more: { contributes: ["owner.names"] }, setup: ({ contribute }) => contribute(names, name) });
  await using _edgehelm = await testKernel({ plugins: [contributing("before"), owner, contributing("after")] });
  expect(started).toEqual(["before", "after"]);
});

test("a credential source cannot write during authentication", async () => {
  let token = "";
  const writingSource = definePlugin({
    manifest: {
      name: "writing_source",
      version: "1.0.0",
      kernel: "^1",
      services: [],
      tables: [],
      contributes: ["kernel.credential_sources", "kernel.first_start"],
    },
    requires: { tokens: AccessTokens },
    setup: ({ contribute, deps }) => {
      contribute(CredentialSources, {
        name: "writing_source",
        roles: ["admin"],
        verify: () => Promise.resolve({ subjectId: 1n, keyId: 1n }),
        isLive: (call) => call.transact(() => Promise.resolve(true)),
      });
      contribute(FirstStart, {
        async run(call) {
          return [token = (await deps.tokens.issue(call, "admin", "any", "any")).token];
        },
      });
    },
  });
  await using edgehelm = await testKernel({ plugins: [probePlugin(() => ({})), writingSource] });
  const request = new Request("http://edgehelm.test/ProbeService/look", {
    method: "POST",
    headers: { "x-cloud-access-token": token },
  });
  expect(await (await edgehelm.fetch(request)).json()).toMatchObject({ code: 500, reason: "kernel.internal" });
});
