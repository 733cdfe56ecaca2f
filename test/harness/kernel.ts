import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DescMessage, DescMethodUnary, JsonValue, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { type Clock, type Contract, definePlugin, type Plugin } from "edgehelm";
import { InstallationKey } from "../../core/auth/installation_key.ts";
import { systemTimers } from "../../core/base/clock.ts";
import { providerOf } from "../../core/base/contract.ts";
import { zlibCompress, zlibDecompress } from "../../core/host/listen/compress.ts";
import { WorkerPasswords } from "../../core/host/passwords/passwords.ts";
import type { HttpOptions } from "../../core/transports/http/options.ts";
import { createHttpApp } from "../../core/transports/http/app.ts";
import { createKernel, type Kernel } from "../../core/kernel/kernel.ts";
import { DEFAULT_LIMITS, type Limits } from "../../core/base/limits.ts";
import { createLogger, type Logger } from "../../core/base/log.ts";
import { type Metrics, noMetrics } from "../../core/base/metrics.ts";
import type { StorageEngine } from "../../core/storage/engine.ts";
import { type TestCaller } from "./caller.ts";
import { TestClock } from "./clock.ts";
import { TestCredentials } from "./credentials.ts";
import { databaseUrl, openTestDatabase, TEST_RUNTIME } from "./database.ts";
import { GrpcWire } from "./grpc_wire.ts";
import { callOver, type Wire } from "./wire.ts";
export { CallFailure } from "./failure.ts";

/** Stands in for another plugin's contract. */
export interface Stub {
  readonly contract: Contract<unknown>;
  readonly implementation: unknown;
}

/** What a contract answers in a test; members that the test does not reach may be left out. */
export function stub<Shape>(contract: Contract<Shape>, implementation: Partial<Shape>): Stub {
  return { contract, implementation };
}

export interface TestKernelOptions {
  readonly plugins: readonly Plugin[];
  readonly stubs?: readonly Stub[];
  /** Plugin configuration by plugin name, as the installation manifest would have it. */
  readonly config?: Readonly<Record<string, JsonValue>>;
  /** What host modules offer, by plugin name. */
  readonly hosts?: Readonly<Record<string, object>>;
  readonly clock?: Clock;
  readonly http?: Partial<HttpOptions>;
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<Limits>;
  /** The database to run on, closed with the kernel; a temporary one unless told. */
  readonly engine?: StorageEngine;
  /** An existing directory with a database to go on with; a new one is made, and removed at the end, unless told. */
  readonly directory?: string;
  readonly log?: Logger;
  /** Where counts go; nowhere unless told. */
  readonly metrics?: Metrics;
  /** The installation's key, 32 bytes; the same one in every test unless told. */
  readonly key?: Uint8Array<ArrayBuffer>;
}

/** A running installation inside a test. Use it with `await using`, or call `stop`. */
export interface TestKernel extends AsyncDisposable {
  readonly kernel: Kernel;
  readonly engine: StorageEngine;
  readonly directory: string;
  /** The HTTP application; no socket is open. */
  fetch(request: Request): Response | Promise<Response>;
  /** gRPC over HTTP/2; no socket is open. */
  readonly grpc: GrpcWire;
  /** A real access token of the caller. */
  token(caller: TestCaller): Promise<string | undefined>;
  /**
   * Calls an operation.
   *
   * @param wire over which to call; HTTP unless told
   * @throws CallFailure
   */
  call<Input extends DescMessage, Output extends DescMessage>(
    caller: TestCaller,
    method: DescMethodUnary<Input, Output>,
    request: MessageInitShape<Input>,
    wire?: Wire,
  ): Promise<MessageShape<Output>>;
  /** Posts raw JSON and answers the envelope with the HTTP status. */
  post(
    path: string,
    body: unknown,
    caller?: TestCaller,
  ): Promise<{ status: number; code: number; [key: string]: unknown }>;
  /** Stops it and leaves the directory, to start again on the same data. */
  stop(): Promise<void>;
}

// Starting a worker for each kernel would be most of a test's time; hashing has no state.
const passwords = new WorkerPasswords();

/** Boots plugins on a real database file. */
export async function testKernel(options: TestKernelOptions): Promise<TestKernel> {
  const { stubs = [], config = {}, hosts = {}, clock = new TestClock() } = options;
  const directory = options.directory ?? await mkdtemp(join(tmpdir(), "edgehelm-test-"));
  const engine = options.engine ?? await openTestDatabase(directory);
  const credentials = new TestCredentials();
  const key = options.key ?? new Uint8Array(32).fill(7);
  const log = options.log ?? createLogger({ level: "silent", write: () => {}, clock });
  const plugins = [...options.plugins, ...stubPlugins(stubs), credentials.plugin];
  let kernel: Kernel;
  try {
    kernel = await createKernel({
      plugins: plugins.map((plugin) => {
        const { name } = plugin.manifest;
        const host = hosts[name];
        return { plugin, config: config[name], at: `plugin ${name}`, openHost: host && (() => host) };
      }),
      engine,
      installationKey: await InstallationKey.fromBytes(key),
      passwords,
      clock,
      timers: clock instanceof TestClock ? clock : systemTimers,
      log,
      metrics: options.metrics ?? noMetrics,
      tokenLifetimeSeconds: 7200,
      rotateDays: 30,
      callMilliseconds: 30_000,
      limits: { ...DEFAULT_LIMITS, ...options.limits },
      migrate: true,
    });
  } catch (error) {
    await engine.close();
    throw error;
  }
  const app = createHttpApp(kernel, {
    errorStatus: "ok",
    corsOrigins: [],
    behindProxy: false,
    compress: zlibCompress,
    decompress: zlibDecompress,
    notReady: () => kernel.notReady(),
    ...options.http,
  });
  const edge = TEST_RUNTIME === "process" ? undefined : await onEdge(options, engine, key, clock, kernel);
  const fetch = edge?.fetch ?? ((request: Request) => app.fetch(request));
  async function stop(): Promise<void> {
    await edge?.stop();
    await kernel.stop(5000);
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
    call: async (caller, method, request, wire = "http") =>
      await callOver(wire, { fetch, grpc }, await token(caller), method, request),
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

/** Serves the same installation from the edge bundle; not for vendors, whose package does not hold it. */
async function onEdge(
  options: TestKernelOptions,
  engine: StorageEngine,
  key: Uint8Array,
  clock: Clock,
  { systemCall }: Kernel,
) {
  const { openEdgeKernel } = await import("../edge/edge_kernel.ts");
  return await openEdgeKernel(options, databaseUrl(engine), key, () => clock.now(), () => systemCall("test"));
}

/** One plugin for each provider that stubs stand in for. */
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
