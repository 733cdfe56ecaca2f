import {
  AccessTokens,
  type Contract,
  CredentialSources,
  defineContract,
  definePlugin,
  FirstStart,
  type Plugin,
} from "edgehelm";
import { as, TestClock, testKernel } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { StartupError } from "../../../core/base/startup_error.ts";
import { BootConfigSchema, InvalidService, ValidService } from "../../fixtures/boot/boot_pb.ts";
import { probePlugin } from "../probe.ts";

const manifest = { version: "1.0.0", kernel: "^1", services: [] as string[], tables: [] as string[] };

/** Creates an empty plugin, changed by `spec` and by the members `more` of its manifest. */
function plugin(name: string, spec: Partial<Parameters<typeof definePlugin>[0]> & { more?: object } = {}): Plugin {
  const { more, ...rest } = spec;
  return definePlugin({ setup() {}, ...rest, manifest: { ...manifest, name, ...more } } as never);
}

async function startupErrors(
  plugins: readonly Plugin[],
  config: Record<string, never> = {},
): Promise<readonly string[]> {
  const error = await testKernel({ plugins, config }).then((kernel) => kernel.stop(), (reason) => reason);
  expect(error).toBeInstanceOf(StartupError);
  return (error as StartupError).errors;
}

describe("boot reports all errors together", () => {
  test("of the checks before any plugin runs", async () => {
    const missing: Contract<object> = defineContract("absent");
    const first: Contract<object> = defineContract("cycle_first");
    const second: Contract<object> = defineContract("cycle_second");
    const errors = await startupErrors([
      plugin("first", { more: { services: ["ValidService"], tables: ["things"] } }),
      plugin("second", { more: { services: ["ValidService"], tables: ["things", "kernel_audit"] } }),
      plugin("too_new", { more: { kernel: "^9" } }),
      plugin("misspelt", { more: { servces: [] } }),
      plugin("lonely", { requires: { missing } }),
      plugin("cycle_first", { requires: { second } }),
      plugin("cycle_second", { requires: { first } }),
      plugin("configured", { config: BootConfigSchema }),
    ], { configured: { nonsense: 1 } as never });
    const all = errors.join("\n");
    for (
      const expected of [
        'service "ValidService" belongs to plugin "first" and to plugin "second"',
        'table "things" belongs to plugin "first" and to plugin "second"',
        'plugin "too_new" requires kernel ^9, but this is kernel 1.0.0',
        "servces",
        'plugin "lonely" requires contract "absent", which no enabled plugin provides',
        "plugins require each other in a cycle: cycle_first -> cycle_second -> cycle_first",
        "plugin configured.config.nonsense",
      ]
    ) expect(all).toContain(expected);
  });

  test("of the setup of plugins", async () => {
    const errors = await startupErrors([
      plugin("invalid", {
        more: { services: ["ValidService", "InvalidService"] },
        setup: ({ serve }) => serve(InvalidService, {} as never),
      }),
      plugin("unlisted", { setup: ({ serve }) => serve(ValidService, { idle: () => ({}) }) }),
      plugin("throwing", {
        setup() {
          throw new Error("setup error");
        },
      }),
    ]);
    const all = errors.join("\n");
    for (
      const expected of [
        "InvalidService.undeclared declares no roles",
        "InvalidService.withoutEffect declares no effect",
        "InvalidService.writingStream is a stream and must declare the effect EXTERNAL",
        "has no handler",
        'lists the service "ValidService" but does not serve it',
        "the service ValidService is not listed in plugin.json",
        "setup error",
      ]
    ) expect(all).toContain(expected);
  });
});

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

describe("the first start", () => {
  const task = (name: string, run: () => Promise<readonly string[]>) =>
    plugin(name, { setup: ({ contribute }) => contribute(FirstStart, { run }) });

  test("runs its tasks once", async () => {
    const starter = task("starter", () => Promise.resolve(["welcome"]));
    await using first = await testKernel({ plugins: [starter] });
    expect(first.kernel.notices).toEqual(["welcome"]);
    await first.stop();
    const second = await testKernel({ plugins: [starter], directory: first.directory });
    expect(second.kernel.notices).toEqual([]);
    await second.stop();
  });

  test("can be repeated after an error", async () => {
    await using empty = await testKernel({ plugins: [] });
    await empty.stop();
    const directory = `${empty.directory}/again`;
    const failing = task("starter", () => Promise.reject(new Error("task error")));
    await expect(testKernel({ plugins: [failing], directory })).rejects.toThrow("task error");
    const second = await testKernel({
      plugins: [task("starter", () => Promise.resolve(["welcome"]))],
      directory,
    });
    expect(second.kernel.notices).toEqual(["welcome"]);
    await second.stop();
  });
});

describe("tokens", () => {
  const clock = new TestClock();

  test("expire, even if they are cached", async () => {
    await using kernel = await testKernel({ plugins: [probePlugin(() => ({}))], clock });
    const headers = { "x-cloud-access-token": (await kernel.token(as.admin()))! };
    const look = async () => {
      const request = new Request("http://edgehelm.test/ProbeService/look", { method: "POST", headers });
      return (await (await kernel.fetch(request)).json()).code;
    };
    expect(await look()).toBe(200);
    clock.advance(7201);
    expect(await look()).toBe(401);
  });

  test("stay valid after the rotation of the key that signed them", async () => {
    await using kernel = await testKernel({ plugins: [probePlugin(() => ({}))], clock });
    clock.advance(31 * 86_400 - 3600);
    const headers = { "x-cloud-access-token": (await kernel.token(as.admin()))! };
    clock.advance(3600);
    const [before] = (await kernel.kernel.jwks()).keys;
    await kernel.kernel.runJob("kernel.rotate_keys");
    clock.advance(120);
    const { keys } = await kernel.kernel.jwks();
    expect(keys.length).toBe(2);
    const request = new Request("http://edgehelm.test/ProbeService/look", { method: "POST", headers });
    expect((await (await kernel.fetch(request)).json()).code).toBe(200);
    clock.advance(3 * 3600);
    await kernel.kernel.runJob("kernel.rotate_keys");
    expect((await kernel.kernel.jwks()).keys.map(({ kid }) => kid)).not.toContain(before!.kid);
  });
});

test("a credential source cannot write during authentication", async () => {
  let token = "";
  const writingSource = definePlugin({
    manifest: { name: "writing_source", version: "1.0.0", kernel: "^1", services: [], tables: [] },
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
