import { Hono } from "hono";
import type { HttpService } from "./app.ts";
import { METRICS_HEADERS } from "./metrics_guard.ts";

/** Creates a service that serves /metrics and nothing else, for a listener that only monitoring reaches. */
export function createMetricsService(text: () => Promise<string>): HttpService {
  const app: HttpService["app"] = new Hono();
  app.get("/metrics", async () => new Response(await text(), { headers: METRICS_HEADERS }));
  return { app, call: () => undefined };
}
