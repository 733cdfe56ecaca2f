import type { Limits } from "../../base/limits.ts";
import type { Logger } from "../../base/log.ts";
import { ConnectionPool } from "../../net/connection_pool.ts";
import { createMetricsService } from "../../transports/http/metrics_page.ts";
import type { Settings } from "../settings/settings.ts";
import { listenHttp1 } from "./http1_listener.ts";
import type { Listener } from "./listener.ts";

/** Monitoring opens few connections. They count apart from those of callers, so that it works when these are too many. */
const METRICS_CONNECTIONS = 8;

/**
 * Serves /metrics on an address of its own, over plain HTTP.
 *
 * @returns undefined if the settings turn metrics off
 */
export async function listenMetrics(
  metrics: Settings["metrics"],
  limits: Limits,
  text: () => Promise<string>,
  log: Logger,
): Promise<Listener | undefined> {
  if (metrics === undefined) return undefined;
  const listener = await listenHttp1(
    createMetricsService(text),
    { name: "metrics", ...metrics, tls: undefined, behindProxy: true },
    { ...limits, httpConnections: METRICS_CONNECTIONS },
    log,
    new ConnectionPool(METRICS_CONNECTIONS),
  );
  log.info("metrics are served", { url: `${listener.url}/metrics` });
  return listener;
}
