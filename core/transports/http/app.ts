import { Hono } from "hono";
import { cors } from "hono/cors";
import type { Kernel } from "../../kernel/kernel.ts";
import type { HttpResponse } from "../../net/http_message.ts";
import { formatResponse, type JsonResponse, toResponse } from "./response.ts";
import { BodyBudget } from "./body.ts";
import { createRpcFetch } from "./connect.ts";
import { explorerPages } from "./explorer.ts";
import type { IncomingCall } from "../../net/http_message.ts";
import { type HttpBindings, incomingCall } from "./incoming.ts";
import type { HttpOptions } from "./options.ts";
import { createOperationRunner } from "./operations.ts";
import { webCodings } from "../rpc/web_codings.ts";
import { createReceiver } from "./receivers.ts";
import { guardedMetrics } from "./metrics_guard.ts";
import { isNativeGrpc, nativeGrpcUnsupported, rootResponse, unknownPath, wrongMethod } from "./pages.ts";

type HttpEnvironment = { Bindings: HttpBindings };

/** The HTTP interface of an installation. */
export interface HttpService {
  /** The whole interface as a fetch app. */
  readonly app: Hono<HttpEnvironment>;
  /**
   * Serves a POST request to the path of an operation without creating a Request and a Response, which is faster than
   * the app. Returns undefined if the app must serve the request. The promise never rejects.
   */
  call(path: string, call: IncomingCall): Promise<HttpResponse> | undefined;
}

/** Creates a fetch app that serves operations as JSON, gRPC-Web and Connect, and pages and probes. */
export function createHttpApp(kernel: Kernel, options: HttpOptions): Hono<HttpEnvironment> {
  return createHttpService(kernel, options).app;
}

export function createHttpService(kernel: Kernel, options: HttpOptions): HttpService {
  const app = new Hono<HttpEnvironment>();
  const budget = new BodyBudget(kernel.limits.bodiesBytes);
  const rpc = createRpcFetch(kernel, options.behindProxy, budget, options.codings ?? webCodings);
  const runOperation = createOperationRunner(kernel, options, budget);
  const hasCors = options.corsOrigins.length > 0;
  if (hasCors) {
    const origin = options.corsOrigins.includes("*") ? "*" : [...options.corsOrigins];
    app.use(cors({ origin, exposeHeaders: ["retry-after", "x-request-id"] }));
  }

  const home = kernel.routes.get("/");
  app.on(["GET", "POST"], "/", (c) => {
    const isBrowser = c.req.method === "GET" && /\btext\/html\b/.test(c.req.header("accept") ?? "");
    return isBrowser && home !== undefined
      ? home(c.req.raw)
      : respond(rootResponse(kernel), incomingCall(c.req.raw, c.env));
  });
  app.get("/livez", () => new Response("ok\n"));
  app.get("/readyz", async () => {
    const reason = await options.notReady();
    if (reason !== undefined) return new Response(`not ready: ${reason}\n`, { status: 503 });
    return new Response(kernel.degraded().map((cause) => `degraded: ${cause}\n`).join("") || "ok\n");
  });
  app.get("/.well-known/jwks.json", async (c) => c.json(await kernel.jwks()));
  const { metrics } = options;
  if (metrics !== undefined) {
    app.get("/metrics", (c) => guardedMetrics(c.req.header("authorization"), metrics.token, metrics.text));
  }
  for (const [path, page] of explorerPages(kernel)) app.get(path, page);
  for (const [path, handler] of kernel.routes) app.get(path, (c) => handler(c.req.raw));
  const receive = createReceiver(kernel, options, budget);
  for (const [path, receiver] of kernel.receivers) {
    app.post(path, (c) => receive(receiver, c.req.raw, incomingCall(c.req.raw, c.env)));
  }

  app.post("*", async (c) => {
    const { path } = c.req;
    const call = incomingCall(c.req.raw, c.env);
    const operation = kernel.operations.find(path);
    if (operation !== undefined) return toResponse(await runOperation(operation, call));
    if (kernel.operations.findRpc(path) !== undefined) {
      return isNativeGrpc(call.header) ? nativeGrpcUnsupported() : await rpc(c.req.raw, call);
    }
    return await respond(unknownPath(kernel, path), call);
  });
  app.all("*", (c) => {
    const { operations } = kernel;
    const rpcOperation = c.req.method === "GET" ? operations.findRpc(c.req.path) : undefined;
    if (rpcOperation?.effect === "read") return rpc(c.req.raw, incomingCall(c.req.raw, c.env));
    const operation = operations.find(c.req.path) ?? operations.findRpc(c.req.path);
    const call = incomingCall(c.req.raw, c.env);
    if (operation === undefined) return respond(unknownPath(kernel, c.req.path), call);
    return respond(wrongMethod(c.req.method, c.req.path), call, [["allow", "POST"]]);
  });

  async function respond(response: JsonResponse, { header }: IncomingCall, extraHeaders: HttpResponse["headers"] = []) {
    const { status, headers, body } = await formatResponse(response, header, options.compress);
    return toResponse({ status, headers: [...headers, ...extraHeaders], body });
  }

  return {
    app,
    call(path, call) {
      // The app handles CORS.
      if (hasCors && call.header("origin") !== undefined) return undefined;
      const operation = kernel.operations.find(path);
      return operation && runOperation(operation, call);
    },
  };
}
