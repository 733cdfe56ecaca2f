import process from "node:process";
import { Health } from "../grpc/health.ts";
import { GrpcService } from "../grpc/service.ts";
import { createHttpApp } from "../http/app.ts";
import { zlibCompress, zlibDecompress } from "./compress.ts";
import { listenGrpc } from "./grpc_listener.ts";
import { zlibGzip } from "./gzip.ts";
import { listenHttp } from "./http_listener.ts";
import { type EngineOptions, openKernel } from "./open_kernel.ts";

/** How long calls in flight may take once the server was told to stop. */
const DRAIN_MILLISECONDS = 10_000;

/** Serves until it is told to stop (SIGTERM, SIGINT), then finishes what it accepted. */
export async function serve(engineOptions: EngineOptions = {}): Promise<void> {
  const { kernel, settings, metrics, log, close } = await openKernel(engineOptions);
  let ready = false;
  const app = createHttpApp(kernel, {
    errorStatus: settings.http.errorStatus,
    corsOrigins: settings.http.corsOrigins,
    behindProxy: settings.http.behindProxy,
    compress: zlibCompress,
    decompress: zlibDecompress,
    isReady: () => ready,
    metricsText: () => metrics.text(),
  });
  const health = new Health(() => ready);
  const service = new GrpcService(kernel, { gzip: zlibGzip, health, behindProxy: settings.http.behindProxy });
  const opening = [
    listenHttp(app, settings.http, settings.limits),
    listenGrpc(service, settings.grpc, settings.http.tls, settings.limits, log),
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
  process.on("unhandledRejection", (error) => log.error("a promise was forgotten", { error: describe(error) }));
  kernel.startJobs();
  ready = true;
  health.changed();
  for (const notice of kernel.notices) console.log(notice);
  const [http, grpc] = listeners;
  console.log(`http: listening on ${http!.url}`);
  console.log(`grpc: listening on ${grpc!.url}`);

  const signal = await stopSignal();
  log.info("stopping", { signal });
  ready = false;
  health.changed();
  await Promise.all(listeners.map((one) => one.close(DRAIN_MILLISECONDS)));
  await close(DRAIN_MILLISECONDS);
}

function describe(error: unknown): string {
  return error instanceof Error ? error.stack ?? error.message : String(error);
}

function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve(signal));
  });
}
