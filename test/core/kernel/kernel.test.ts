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
import { BootConfigSchema, FaultyService, SoundService } from "../../fixtures/boot/boot_pb.ts";
import { probePlugin } from "../probe.ts";

const manifest = { version: "1.0.0", kernel: "^1", services: [] as string[], tables: [] as string[] };

/** A plugin with nothing but what the test gives it. */
function plugin(name: string, parts: Partial<Parameters<typeof definePlugin>[0]> & { more?: object } = {}): Plugin {
  const { more, ...rest } = parts;
  return definePlugin({ setup() {}, ...rest, manifest: { ...manifest, name, ...more } } as never);
}

async function problemsOf(plugins: readonly Plugin[], config: Record<string, never> = {}): Promise<readonly string[]> {
  const error = await testKernel({ plugins, config }).then((kernel) => kernel.stop(), (reason) => reason);
  expect(error).toBeInstanceOf(StartupError);
  return (error as StartupError).problems;
}

describe("boot tells every problem at once", () => {
  test("of what can be known before a plugin runs", async () => {
    const missing: Contract<object> = defineContract("absent");
    const one: Contract<object> = defineContract("circle_one");
    const two: Contract<object> = defineContract("circle_two");
    const problems = await problemsOf([
      plugin("first", { more: { services: ["SoundService"], tables: ["things"] } }),
      plugin("second", { more: { services: ["SoundService"], tables: ["things", "kernel_audit"] } }),
      plugin("too_new", { more: { kernel: "^9" } }),
      plugin("misspelt", { more: { servces: [] } }),
      plugin("lonely", { requires: { missing } }),
      plugin("circle_one", { requires: { two } }),
      plugin("circle_two", { requires: { one } }),
      plugin("configured", { config: BootConfigSchema }),
    ], { configured: { nonsense: 1 } as never });
    const all = problems.join("\n");
    for (
      const expected of [
        'service "SoundService" belongs to plugin "first" and to plugin "second"',
        'table "things" belongs to plugin "first" and to plugin "second"',
        'plugin "too_new" works with kernel ^9; this is kernel 1.0.0',
        "servces",
        'plugin "lonely" requires contract "absent", which no enabled plugin provides',
        "plugins require each other in a circle: circle_one -> circle_two -> circle_one",
        "plugin configured.config.nonsense",
      ]
    ) expect(all).toContain(expected);
  });

  test("of what a plugin sets up", async () => {
    const problems = await problemsOf([
      plugin("faulty", {
        more: { services: ["SoundService", "FaultyService"] },
        setup: ({ serve }) => serve(FaultyService, {} as never),
      }),
      plugin("unlisted", { setup: ({ serve }) => serve(SoundService, { idle: () => ({}) }) }),
      plugin("thrower", {
        setup() {
          throw new Error("no luck today");
        },
      }),
    ]);
    const all = problems.join("\n");
    for (
      const expected of [
        "FaultyService.undeclared names no role",
        "FaultyService.withoutEffect declares no effect",
        "FaultyService.writingStream is a stream and must declare the effect EXTERNAL",
        "has no handler",
        'lists the service "SoundService" and does not serve it',
        "the service SoundService is not listed in plugin.json",
        "no luck today",
      ]
    ) expect(all).toContain(expected);
  });
});

test("two kernels in one process share nothing", async () => {
  await using one = await testKernel({ plugins: [probePlugin(() => ({}))] });
  await using two = await testKernel({ plugins: [probePlugin(() => ({}))], key: new Uint8Array(32).fill(9) });
  const token = (await one.token(as.admin()))!;
  const post = (kernel: typeof one) =>
    kernel.fetch(
      new Request("http://edgehelm.test/ProbeService/look", {
        method: "POST",
        headers: { "x-cloud-access-token": token },
      }),
    );
  expect(await (await post(one)).json()).toMatchObject({ code: 200 });
  expect(await (await post(two)).json()).toMatchObject({ code: 401, message: "invalid access token" });
});

test("a wrong installation key stops the start", async () => {
  await using first = await testKernel({ plugins: [] });
  await first.stop();
  await expect(testKernel({ plugins: [], directory: first.directory, key: new Uint8Array(32).fill(9) }))
    .rejects.toThrow("the installation key does not belong to this database");
});

describe("the first start", () => {
  const task = (name: string, run: () => Promise<readonly string[]>) =>
    plugin(name, { setup: ({ contribute }) => contribute(FirstStart, { run }) });

  test("is done once", async () => {
    const starter = task("starter", () => Promise.resolve(["welcome"]));
    await using first = await testKernel({ plugins: [starter] });
    expect(first.kernel.notices).toEqual(["welcome"]);
    await first.stop();
    const second = await testKernel({ plugins: [starter], directory: first.directory });
    expect(second.kernel.notices).toEqual([]);
    await second.stop();
  });

  test("that fails leaves an installation that can still begin", async () => {
    await using empty = await testKernel({ plugins: [] });
    await empty.stop();
    const directory = `${empty.directory}/again`;
    const failing = task("starter", () => Promise.reject(new Error("out of luck")));
    await expect(testKernel({ plugins: [failing], directory })).rejects.toThrow("out of luck");
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

  test("end when they say, also those that are remembered", async () => {
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

  test("outlive the change of the key that signed them", async () => {
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

test("what authenticates callers reads, and may not write", async () => {
  let token = "";
  const curious = definePlugin({
    manifest: { name: "curious", version: "1.0.0", kernel: "^1", services: [], tables: [] },
    requires: { tokens: AccessTokens },
    setup: ({ contribute, deps }) => {
      contribute(CredentialSources, {
        name: "curious",
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
  await using edgehelm = await testKernel({ plugins: [probePlugin(() => ({})), curious] });
  const request = new Request("http://edgehelm.test/ProbeService/look", {
    method: "POST",
    headers: { "x-cloud-access-token": token },
  });
  expect(await (await edgehelm.fetch(request)).json()).toMatchObject({ code: 500, reason: "kernel.internal" });
});
