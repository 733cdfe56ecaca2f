import process from "node:process";
import type { Logger } from "../../base/log.ts";
import { listenGrpc } from "../listen/grpc_listener.ts";
import { listenHttp1 } from "../listen/http1_listener.ts";
import type { ConnectionPool } from "../../net/connection_pool.ts";
import type { Listener } from "../listen/listener.ts";
import { warnOfPlaintext } from "../listen/plaintext.ts";
import { listenMetrics } from "../listen/metrics_listener.ts";
import { openConnectionPool } from "../listen/process_connections.ts";
import { createServices, type ServingState } from "../listen/services.ts";
import { Watchdog } from "../observe/watchdog.ts";
import { controlPath } from "../control/control_message.ts";
import { listenControl } from "../control/control_server.ts";
import { returnNativeMemory } from "../settings/native_memory.ts";
import { requireOpenFiles } from "../settings/open_files.ts";
import { localPath } from "../settings/database_path.ts";
import { type MachineOptions, openKernel } from "../load/open_kernel.ts";
import { requireSignIn } from "../load/sign_in.ts";

/** Serves until SIGTERM or SIGINT, then finishes the requests in flight and closes. */
export async function serve(machineOptions: MachineOptions = {}): Promise<void> {
  requireOpenFiles();
  returnNativeMemory();
  const options = { ...machineOptions, withReplica: true, surviveUncaught: true };
  const { kernel, settings, metrics, log, certificates, close, flushLog } = await openKernel(options, warnOfPlaintext);
  let pool: ConnectionPool;
  try {
    requireSignIn(kernel);
    pool = openConnectionPool(settings.limits, log);
  } catch (error) {
    await close(0);
    throw error;
  }
  metrics.watchConnections(pool);
  let state: ServingState = "starting";
  const { http: service, grpc: grpcService, health } = createServices(kernel, settings, () => state);
  const opening = [
    listenHttp1(service, settings.http, settings.limits, log, pool),
    listenGrpc(grpcService, settings.grpc, settings.http, settings.limits, log, pool),
    listenMetrics(settings.metrics, settings.limits, () => metrics.text(), log),
  ];
  const opened = await Promise.allSettled(opening);
  const listeners = opened.flatMap((outcome) => outcome.status === "fulfilled" ? outcome.value ?? [] : []);
  const failed = opened.find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) {
    await Promise.all(listeners.map((listener) => listener.close(0)));
    await close(0);
    throw failed.reason;
  }
  if (settings.http.tls !== undefined) process.on("SIGHUP", () => reloadTls(listeners, log));
  certificates.watch(() => listeners.flatMap(({ certificate }) => certificate ?? []));
  kernel.startJobs();
  const control = localPath(settings) === undefined
    ? undefined
    : await listenControl(controlPath(settings.dataDirectory), kernel, log);
  const { graceMilliseconds, drainMilliseconds } = settings.stop;
  const watchdog = new Watchdog(drainMilliseconds);
  state = "serving";
  health.changed();
  // Taken before the addresses are printed: who reads them may send a signal at once.
  const stop = stopSignal();
  for (const notice of kernel.notices) console.log(notice);
  const [http, grpc] = listeners;
  console.log(`http: listening on ${http!.url}`);
  console.log(`grpc: listening on ${grpc!.url}`);

  const signal = await stop;
  watchdog.endWithin(graceMilliseconds + drainMilliseconds);
  forceShutdownOnNextSignal(log, flushLog);
  state = "stopping";
  health.changed();
  log.info("stopping", { signal, graceMilliseconds, drainMilliseconds });
  // Without a grace period, clients are asked to close only after the listeners stop accepting: they would reconnect.
  if (graceMilliseconds > 0) {
    for (const listener of listeners) listener.beginClose();
    await new Promise((resolve) => setTimeout(resolve, graceMilliseconds));
  }
  const deadline = Date.now() + drainMilliseconds;
  await control?.close();
  kernel.endLongWork(drainMilliseconds);
  await Promise.all(listeners.map((listener) => listener.close(drainMilliseconds)));
  await close(Math.max(0, deadline - Date.now()));
  await watchdog.close();
  console.log("stopped");
}

function reloadTls(listeners: readonly Listener[], log: Logger): void {
  try {
    for (const listener of listeners) listener.reloadTls();
    log.info("TLS certificate reloaded");
  } catch (error) {
    log.error("TLS certificate reload failed; the previous one stays in use", {
      error: error instanceof Error ? error.message : String(error),
    });
  }
}

const STOP_SIGNALS = ["SIGTERM", "SIGINT"] as const;

function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of STOP_SIGNALS) process.once(signal, () => resolve(signal));
  });
}

/** Safe at any time: a write is durable before its response is sent. */
function forceShutdownOnNextSignal(log: Logger, flushLog: () => void): void {
  for (const signal of STOP_SIGNALS) {
    process.once(signal, () => {
      log.warn("forced shutdown", { signal });
      flushLog();
      process.exit(1);
    });
  }
}
