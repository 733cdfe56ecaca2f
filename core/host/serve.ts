import process from "node:process";
import { createHttpApp } from "../http/app.ts";
import { zlibCompress, zlibDecompress } from "./compress.ts";
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
  const listener = await listenHttp(app, settings.http, settings.limits).catch(async (error) => {
    await close(0);
    throw error;
  });
  // A plugin that forgets a promise must not take the server down.
  process.on("unhandledRejection", (error) => log.error("a promise was forgotten", { error: describe(error) }));
  kernel.startJobs();
  ready = true;
  for (const notice of kernel.notices) console.log(notice);
  console.log(`http: listening on ${listener.url}`);

  const signal = await stopSignal();
  log.info("stopping", { signal });
  ready = false;
  await listener.close(DRAIN_MILLISECONDS);
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
