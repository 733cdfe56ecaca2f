import process from "node:process";
import { Health } from "../../transports/grpc/health.ts";
import { GrpcService } from "../../transports/grpc/service.ts";
import { createHttpService } from "../../transports/http/app.ts";
import { errorText, type Logger } from "../../base/log.ts";
import { zlibCompress, zlibDecompress } from "../listen/compress.ts";
import { listenGrpc } from "../listen/grpc_listener.ts";
import { zlibGzip } from "../listen/gzip.ts";
import { listenHttp1 } from "../listen/http1_listener.ts";
import type { Listener } from "../listen/listener.ts";
import { type EngineOptions, openKernel } from "../load/open_kernel.ts";

/** Serves until it is told to stop (SIGTERM, SIGINT), then finishes what it accepted. */
export async function serve(engineOptions: EngineOptions = {}): Promise<void> {
  const { kernel, settings, metrics, log, close, flushLog } = await openKernel({ ...engineOptions, withReplica: true });
  let state: "starting" | "serving" | "stopping" = "starting";
  const service = createHttpService(kernel, {
    errorStatus: settings.http.errorStatus,
    corsOrigins: settings.http.corsOrigins,
    behindProxy: settings.http.behindProxy,
    compress: zlibCompress,
    decompress: zlibDecompress,
    notReady: () => state === "serving" ? kernel.notReady() : Promise.resolve(state),
    metricsText: () => metrics.text(),
  });
  const health = new Health(() => state === "serving");
  const grpcService = new GrpcService(kernel, { gzip: zlibGzip, health, behindProxy: settings.http.behindProxy });
  const opening = [
    listenHttp1(service, settings.http, settings.limits, log),
    listenGrpc(grpcService, settings.grpc, settings.http, settings.limits, log),
  ];
  const opened = await Promise.allSettled(opening);
  const listeners = opened.flatMap((one) => one.status === "fulfilled" ? [one.value] : []);
  const failed = opened.find((one) => one.status === "rejected");
  if (failed !== undefined) {
    await Promise.all(listeners.map((one) => one.close(0)));
    await close(0);
    throw failed.reason;
  }
  // A plugin that forgets a promise must not take the server down.
  process.on("unhandledRejection", (error) => log.error("a promise was forgotten", { error: errorText(error) }));
  if (settings.http.tls !== undefined) process.on("SIGHUP", () => reloadTls(listeners, log));
  kernel.startJobs();
  state = "serving";
  health.changed();
  for (const notice of kernel.notices) console.log(notice);
  const [http, grpc] = listeners;
  console.log(`http: listening on ${http!.url}`);
  console.log(`grpc: listening on ${grpc!.url}`);

  const signal = await stopSignal();
  const { graceMilliseconds, drainMilliseconds } = settings.stop;
  endAtOnceOnNextSignal(log, flushLog);
  state = "stopping";
  health.changed();
  log.info("stopping", { signal, graceMilliseconds, drainMilliseconds });
  // Without a grace clients are sent away only once nobody is let in any more, or they would come back.
  if (graceMilliseconds > 0) {
    for (const listener of listeners) listener.beginClose();
    await new Promise((resolve) => setTimeout(resolve, graceMilliseconds));
  }
  const end = Date.now() + drainMilliseconds;
  kernel.endLongWork(drainMilliseconds);
  await Promise.all(listeners.map((one) => one.close(drainMilliseconds)));
  await close(Math.max(0, end - Date.now()));
}

function reloadTls(listeners: readonly Listener[], log: Logger): void {
  try {
    for (const listener of listeners) listener.reloadTls();
    log.info("the certificate was read again");
  } catch (error) {
    log.error("the certificate stays as it was", { error: error instanceof Error ? error.message : String(error) });
  }
}

const STOP_SIGNALS = ["SIGTERM", "SIGINT"] as const;

function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of STOP_SIGNALS) process.once(signal, () => resolve(signal));
  });
}

/** The operator does not want to wait. What was answered is on disk in any case. */
function endAtOnceOnNextSignal(log: Logger, flushLog: () => void): void {
  for (const signal of STOP_SIGNALS) {
    process.once(signal, () => {
      log.warn("ended at once", { signal });
      flushLog();
      process.exit(1);
    });
  }
}
