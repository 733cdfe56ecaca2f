import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DescMessage, DescMethodUnary, JsonValue, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { type Clock, type Contract, definePlugin, type Plugin } from "edgehelm";
import { InstallationKey } from "../../core/auth/installation_key.ts";
import { systemTimers } from "../../core/base/clock.ts";
import { providerOf } from "../../core/base/contract.ts";
import { machineOutbound } from "../../core/host/outbound/outbound.ts";
import { WorkerPasswords } from "../../core/host/passwords/passwords.ts";
import type { HttpOptions } from "../../core/transports/http/options.ts";
import { createHttpApp } from "../../core/transports/http/app.ts";
import { createKernel, type Kernel } from "../../core/kernel/kernel.ts";
import type { OpenHostWork } from "../../core/kernel/host_work.ts";
import { DEFAULT_LIMITS, type Limits } from "../../core/base/limits.ts";
import { createLogger, type Logger } from "../../core/base/log.ts";
import { type Metrics, noMetrics } from "../../core/base/metrics.ts";
import type { StorageEngine } from "../../core/storage/engine.ts";
import { type TestCaller } from "./caller.ts";
import { TestClock } from "./clock.ts";
import { firstAdminPlugin, TestCredentials } from "./credentials.ts";
import { databaseUrl, openTestDatabase, TEST_RUNTIME } from "./database.ts";
import { GrpcWire } from "./grpc_wire.ts";
import type { TestFailures } from "./failures.ts";
import { watchReasons } from "./unlisted_reasons.ts";
import { streamCall, type StreamingMethod, type StreamInput } from "./stream.ts";
import { callOver, HTTP_OPTIONS, type Wire } from "./wire.ts";

/** A stub of a contract that another plugin provides. Create one with {@link stub}. */
export interface Stub {
  readonly contract: Contract<unknown>;
  readonly implementation: unknown;
}

/**
 * Creates a stub of a contract for a test.
 *
 * @param implementation the members that the test needs; calling any other member throws a TypeError
 *
 * @example
 * ```ts
 * import { stub, testKernel } from "edgehelm/testing";
 * import { Users } from "edgehelm/plugins/user/contract.js";
 * import plugin from "../plugin.ts";
 *
 * const users = stub(Users, { isLive: () => Promise.resolve(true) });
 * await using edgehelm = await testKernel({ plugins: [plugin], stubs: [users] });
 * ```
 */
export function stub<Shape>(contract: Contract<Shape>, implementation: Partial<Shape>): Stub {
  return { contract, implementation };
}

/** The options of {@link testKernel}. */
export interface TestKernelOptions {
  /** The plugins under test. */
  readonly plugins: readonly Plugin[];
  /** Stubs for the contracts that no plugin under test provides. */
  readonly stubs?: readonly Stub[];
  /**
   * The modules of admins, by id; all other admins are super admins. The plugin `admin`, if it is under test, knows them
   * instead: its super admin with id 1 is `as.admin()`.
   */
  readonly admins?: Readonly<Record<string, readonly string[]>>;
  /** Plugin configuration by plugin name, as in the installation manifest. */
  readonly config?: Readonly<Record<string, JsonValue>>;
  /** Host parts by plugin name, in place of those that host modules open. */
  readonly hosts?: Readonly<Record<string, object>>;
  /** Defaults to a {@link TestClock} at the current time. */
  readonly clock?: Clock;
  /** The failures that the test orders. */
  readonly failures?: TestFailures;
  /** Options of the HTTP application that differ from the defaults. */
  readonly http?: Partial<HttpOptions>;
  /** The time after which calls end, in milliseconds. Defaults to 30 seconds. */
  readonly callMilliseconds?: number;
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<Limits>;
  /** The database, which is closed with the kernel. Defaults to a new one in the directory. */
  readonly engine?: StorageEngine;
  /** An existing directory with the database to use. Defaults to a new directory, which is removed at the end. */
  readonly directory?: string;
  /** If true, stopping throws if an operation gave an error that its plugin does not list among its `reasons`. */
  readonly listedReasons?: boolean;
  /**
   * The addresses and hosts that plugins may reach, as in the installation manifest. A server of the test on loopback
   * needs `{ allow: ["127.0.0.0/8"] }`.
   */
  readonly outbound?: { readonly allow?: readonly string[]; readonly hosts?: readonly string[] };
  /** Defaults to a silent logger. */
  readonly log?: Logger;
  /** Defaults to metrics that are discarded. */
  readonly metrics?: Metrics;
  /** The work of a host, such as backups. Defaults to none. */
  readonly hostWork?: OpenHostWork;
  /** True to start without plugins that fail, as `start` does; by default they stop the start. */
  readonly mayDegrade?: boolean;
  /** The installation key, 32 bytes. Defaults to a fixed key. */
  readonly key?: Uint8Array<ArrayBuffer>;
}

/** A running installation in a test. Declare it with `await using`, or call `stop`. */
export interface TestKernel extends AsyncDisposable {
  readonly kernel: Kernel;
  readonly engine: StorageEngine;
  /** The directory of the database. */
  readonly directory: string;
  /** Sends a request to the HTTP application, without a socket. */
  fetch(request: Request): Response | Promise<Response>;
  /** A gRPC client over HTTP/2, without a socket. */
  readonly grpc: GrpcWire;
  /** Returns a real access token of the caller, or undefined for an anonymous one. */
  token(caller: TestCaller): Promise<string | undefined>;
  /**
   * Calls an operation.
   *
   * @param wire the protocol; defaults to `http`
   * @throws CallError if the operation fails
   */
  call<Input extends DescMessage, Output extends DescMessage>(
    caller: TestCaller,
    method: DescMethodUnary<Input, Output>,
    request: MessageInitShape<Input>,
    wire?: Wire,
  ): Promise<MessageShape<Output>>;
  /**
   * Calls a streaming operation. A client stream has one response. Leaving the loop ends the stream.
   *
   * @param input the request; for a client or bidirectional stream the requests
   * @param signal disconnects the caller when it aborts, also while a response is awaited
   * @throws CallError while the responses are read, if the operation fails
   *
   * @example
   * ```ts
   * for await (const { text } of edgehelm.stream(as.user(7n), NotesService.method.exportNotes, {})) console.log(text);
   * ```
   */
  stream<Input extends DescMessage, Output extends DescMessage>(
    caller: TestCaller,
    method: StreamingMethod<Input, Output>,
    input: StreamInput<Input>,
    signal?: AbortSignal,
  ): AsyncGenerator<MessageShape<Output>, void, undefined>;
  /**
   * Posts JSON to a path.
   *
   * @param body a value to serialise, or a string that is sent as it is
   * @param caller defaults to an anonymous caller
   * @returns the envelope and the HTTP status
   */
  post(
    path: string,
    body: unknown,
    caller?: TestCaller,
  ): Promise<{ status: number; code: number; [key: string]: unknown }>;
  /** Stops the installation and keeps its directory, so that a new one can start on the same data. */
  stop(): Promise<void>;
}

// Shared, since starting a worker for each kernel would dominate the time of a test. Hashing has no state.
const passwords = new WorkerPasswords();

/**
 * Boots plugins on a real, temporary database and serves them in process.
 *
 * @throws StartupError if a plugin, its configuration or its dependencies are invalid
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { test } from "node:test";
 * import { as, testKernel } from "edgehelm/testing";
 * import plugin from "../plugin.ts";
 * import { MyPluginService } from "../proto/service_my_plugin_pb.ts";
 *
 * test("greet returns a greeting", async () => {
 *   await using edgehelm = await testKernel({ plugins: [plugin] });
 *   const { text } = await edgehelm.call(as.user(7n), MyPluginService.method.greet, { name: "Ada" });
 *   equal(text, "hello, Ada, you are user");
 * });
 * ```
 */
export async function testKernel(options: TestKernelOptions): Promise<TestKernel> {
  const { stubs = [], config = {}, hosts = {}, clock = new TestClock() } = options;
  const directory = options.directory ?? await mkdtemp(join(tmpdir(), "edgehelm-test-"));
  const engine = options.engine ?? await openTestDatabase(directory);
  const hasAdmins = options.plugins.some(({ manifest }) => manifest.name === "admin");
  const credentials = new TestCredentials(hasAdmins ? undefined : options.admins);
  const key = options.key ?? new Uint8Array(32).fill(7);
  const log = options.log ?? createLogger({ level: "silent", write: () => {}, clock });
  const plugins = [
    ...options.plugins.map((plugin) => options.failures?.plugin(plugin) ?? plugin),
    ...stubPlugins(stubs),
    credentials.plugin,
    ...(hasAdmins ? [firstAdminPlugin] : []),
  ];
  let kernel: Kernel;
  try {
    kernel = await createKernel({
      plugins: plugins.map((plugin) => {
        const { name } = plugin.manifest;
        const host = hosts[name];
        return { plugin, config: config[name], at: `plugin ${name}`, openHost: host && (() => host) };
      }),
      engine: options.failures?.engine(engine) ?? engine,
      installationKey: await InstallationKey.fromBytes(key),
      passwords,
      clock,
      timers: clock instanceof TestClock ? clock : systemTimers,
      log,
      outbound: machineOutbound({ allow: options.outbound?.allow ?? [], hosts: options.outbound?.hosts ?? [] }),
      metrics: options.metrics ?? noMetrics,
      tokenLifetimeSeconds: 7200,
      rotateDays: 30,
      callMilliseconds: options.callMilliseconds ?? 30_000,
      limits: { ...DEFAULT_LIMITS, ...options.limits },
      migrate: true,
      hostWork: options.hostWork,
      failedPlugins: options.mayDegrade ? [] : undefined,
    });
  } catch (error) {
    await engine.close();
    throw error;
  }
  const requireListed = options.listedReasons
    ? await watchReasons(kernel.dispatch, credentials.api, plugins)
    : undefined;
  const app = createHttpApp(kernel, {
    ...HTTP_OPTIONS,
    notReady: () => kernel.notReady(),
    ...options.http,
  });
  const edge = TEST_RUNTIME === "process" ? undefined : await openOnEdge(options, engine, key, clock, kernel);
  const fetch = edge?.fetch ?? ((request: Request) => app.fetch(request));
  async function stop(): Promise<void> {
    await edge?.stop();
    await kernel.stop(5000);
    requireListed?.();
  }
  const grpc = new GrpcWire(kernel);
  const token = (caller: TestCaller) => credentials.token(kernel.systemCall("test"), caller);

  return {
    kernel,
    engine,
    directory,
    fetch,
    grpc,
    token,
    call: (caller, method, request, wire = "http") =>
      credentials.retryIfEnded(caller, async () => {
        return await callOver(wire, { fetch, grpc }, await token(caller), method, request);
      }),
    async *stream(caller, method, input, signal) {
      yield* streamCall(kernel, await token(caller), method, input, signal);
    },
    async post(path, body, caller) {
      const accessToken = caller && await token(caller);
      const headers: Record<string, string> = accessToken === undefined ? {} : { "x-cloud-access-token": accessToken };
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const response = await fetch(new Request(`http://edgehelm.test${path}`, { method: "POST", body: text, headers }));
      return { status: response.status, ...await response.json() };
    },
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      if (options.directory === undefined) await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Serves the same installation from the edge bundle. The published package does not contain the imported module. */
async function openOnEdge(
  options: TestKernelOptions,
  engine: StorageEngine,
  key: Uint8Array,
  clock: Clock,
  { systemCall }: Kernel,
) {
  const { openEdgeKernel } = await import("../edge/edge_kernel.ts");
  return await openEdgeKernel(options, databaseUrl(engine), key, () => clock.now(), () => systemCall("test"));
}

/** Returns a plugin for each provider whose contracts are stubbed. */
function stubPlugins(stubs: readonly Stub[]): Plugin[] {
  const providers = Map.groupBy(stubs, ({ contract }) => providerOf(contract));
  return [...providers].map(([name, own]) =>
    definePlugin({
      manifest: { name, version: "1.0.0", kernel: "^1", services: [], tables: [] },
      setup: ({ provide }) => {
        for (const { contract, implementation } of own) provide(contract, implementation);
      },
    })
  );
}
