import { systemClock, systemTimers } from "../base/clock.ts";
import { createHttpApp } from "../transports/http/app.ts";
import { noCompress, webDecompress } from "../transports/http/compression.ts";
import { createKernel, type Kernel } from "../kernel/kernel.ts";
import { readLimits } from "../base/limits.ts";
import type { Logger } from "../base/log.ts";
import { RemoteEngine } from "../storage/remote/engine.ts";
import type { Background } from "./background.ts";
import type { EdgeMetrics } from "./metrics.ts";
import { type OpenOptions, readEdgeKey } from "./options.ts";
import { EdgePasswords } from "./passwords.ts";

/** How long one call may take: runtimes give what goes on after a caller left no longer. */
const CALL_MILLISECONDS = 30_000;
/** What isolates of 128 MiB can hold of requests. */
const BODIES_BYTES = 64 * 1024 * 1024;

/** What an isolate has from its beginning, whether its installation can be opened or not. */
export interface IsolateDeps {
  readonly background: Background;
  readonly metrics: EdgeMetrics;
  readonly log: Logger;
}

/** An installation that serves. */
export interface OpenInstallation {
  readonly kernel: Kernel;
  answer(request: Request, remoteAddress: string | undefined): Response | Promise<Response>;
}

/** Sets the kernel up on a database that is migrated from elsewhere. */
export async function openInstallation(
  options: OpenOptions,
  { background, metrics, log }: IsolateDeps,
): Promise<OpenInstallation> {
  const { database, http = {}, tokens = {}, clock = systemClock } = options;
  const installationKey = await readEdgeKey(options);
  const kernel = await createKernel({
    plugins: options.plugins,
    engine: new RemoteEngine({ ...database, background: background.add }),
    installationKey,
    passwords: new EdgePasswords(),
    clock,
    timers: systemTimers,
    log,
    metrics,
    tokenLifetimeSeconds: tokens.lifetimeSeconds ?? 7200,
    rotateDays: tokens.rotateDays ?? 30,
    callMilliseconds: CALL_MILLISECONDS,
    limits: readLimits({ bodiesBytes: BODIES_BYTES, ...options.limits }),
    migrate: false,
  });
  const app = createHttpApp(kernel, {
    errorStatus: http.errorStatus ?? "ok",
    corsOrigins: http.corsOrigins ?? [],
    behindProxy: false,
    // These runtimes, or what stands before them, compress by themselves.
    compress: noCompress,
    decompress: webDecompress,
    notReady: () => kernel.notReady(),
    metricsText: () => Promise.resolve(metrics.text(kernel.dispatch.inFlight)),
  });
  return { kernel, answer: (request, remoteAddress) => app.fetch(request, { remoteAddress }) };
}
