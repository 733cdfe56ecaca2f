import { systemClockIn, systemTimers } from "../base/clock.ts";
import { createHttpApp } from "../transports/http/app.ts";
import { noCompress, webDecompress } from "../transports/http/compression.ts";
import { createKernel, type Kernel } from "../kernel/kernel.ts";
import { readAuditSettings } from "../calls/audit/audit.ts";
import { readLimits } from "../base/limits.ts";
import type { Logger } from "../base/log.ts";
import { RemoteEngine } from "../storage/remote/engine.ts";
import type { Background } from "./background.ts";
import type { EdgeMetrics } from "./metrics.ts";
import { type OpenOptions, readEdgeKey } from "./options.ts";
import { edgeOutbound } from "./outbound.ts";
import { EdgePasswords } from "./passwords.ts";

/** The deadline of a call: edge runtimes cancel work that continues longer after its caller has disconnected. */
const CALL_MILLISECONDS = 30_000;
/** The default limit of request bodies in memory, for isolates of 128 MiB. */
const MAX_BODIES_BYTES = 64 * 1024 * 1024;

/** The dependencies that an isolate has even if its installation cannot be opened. */
export interface IsolateDeps {
  readonly background: Background;
  readonly metrics: EdgeMetrics;
  readonly log: Logger;
}

/** An open installation. */
export interface OpenInstallation {
  readonly kernel: Kernel;
  handle(request: Request, remoteAddress: string | undefined): Response | Promise<Response>;
}

/** Opens an installation on its database, which is migrated from a host. */
export async function openInstallation(
  options: OpenOptions,
  { background, metrics, log }: IsolateDeps,
): Promise<OpenInstallation> {
  const { database, http = {}, tokens = {}, timeZone = "UTC", clock = systemClockIn(timeZone) } = options;
  const installationKey = await readEdgeKey(options);
  const limits = readLimits({ bodiesBytes: MAX_BODIES_BYTES, ...options.limits });
  const kernel = await createKernel({
    plugins: options.plugins,
    engine: new RemoteEngine({
      ...database,
      limits: { idleTime: limits.writeIdleMilliseconds },
      background: background.add,
    }),
    installationKey,
    passwords: new EdgePasswords(),
    clock,
    timers: systemTimers,
    log,
    outbound: edgeOutbound(options.outbound),
    metrics,
    tokenLifetimeSeconds: tokens.lifetimeSeconds ?? 7200,
    rotateDays: tokens.rotateDays ?? 30,
    callMilliseconds: CALL_MILLISECONDS,
    audit: readAuditSettings(options.audit),
    limits,
    migrate: false,
  });
  const app = createHttpApp(kernel, {
    errorStatus: http.errorStatus ?? "ok",
    corsOrigins: http.corsOrigins ?? [],
    behindProxy: false,
    // Edge runtimes, or the proxies in front of them, compress responses themselves.
    compress: noCompress,
    decompress: webDecompress,
    notReady: () => kernel.notReady(),
    metrics: options.metricsToken === undefined
      ? undefined
      : { text: () => Promise.resolve(metrics.text(kernel.dispatch.inFlight)), token: options.metricsToken },
  });
  return { kernel, handle: (request, remoteAddress) => app.fetch(request, { remoteAddress }) };
}
