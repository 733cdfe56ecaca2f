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
import { createOperationEndpoint } from "./operations.ts";
import { isNativeGrpc, nativeGrpcRefused, rootResponse, unknownPath, wrongVerb } from "./pages.ts";

type HttpEnvironment = { Bindings: HttpBindings };

/** The installation over HTTP, for a listener. */
export interface HttpService {
  /** Everything, for what speaks in Request and Response. */
  readonly app: Hono<HttpEnvironment>;
  /**
   * Answers a POST to the path of an operation as the app would, without a Request and a Response; undefined for what
   * the app must answer. The answer never fails.
   */
  call(path: string, call: IncomingCall): Promise<HttpResponse> | undefined;
}

/** Every operation, gRPC-Web and Connect, pages and probes, as a fetch app. */
export function createHttpApp(kernel: Kernel, options: HttpOptions): Hono<HttpEnvironment> {
  return createHttpService(kernel, options).app;
}

export function createHttpService(kernel: Kernel, options: HttpOptions): HttpService {
  const app = new Hono<HttpEnvironment>();
  const budget = new BodyBudget(kernel.limits.bodiesBytes);
  const rpc = createRpcFetch(kernel, options.behindProxy, budget);
  const answerOperation = createOperationEndpoint(kernel, options, budget);
  const hasCors = options.corsOrigins.length > 0;
  if (hasCors) app.use(cors({ origin: [...options.corsOrigins] }));

  app.on(["GET", "POST"], "/", (c) => respond(rootResponse(kernel), incomingCall(c.req.raw, c.env)));
  app.get("/livez", () => new Response("ok\n"));
  app.get("/readyz", async () => {
    const reason = await options.notReady();
    return reason === undefined ? new Response("ok\n") : new Response(`not ready: ${reason}\n`, { status: 503 });
  });
  app.get("/.well-known/jwks.json", async (c) => c.json(await kernel.jwks()));
  const { metricsText } = options;
  if (metricsText !== undefined) app.get("/metrics", async () => new Response(await metricsText()));
  for (const [path, page] of explorerPages(kernel)) app.get(path, page);
  for (const [path, handler] of kernel.routes) app.get(path, (c) => handler(c.req.raw));

  app.post("*", async (c) => {
    const { path } = c.req;
    const call = incomingCall(c.req.raw, c.env);
    const operation = kernel.operations.find(path);
    if (operation !== undefined) return toResponse(await answerOperation(operation, call));
    if (kernel.operations.findRpc(path) !== undefined) {
      return isNativeGrpc(call.header) ? nativeGrpcRefused() : await rpc(c.req.raw, call);
    }
    return await respond(unknownPath(kernel, path), call);
  });
  app.all("*", (c) => {
    const { operations } = kernel;
    const known = operations.find(c.req.path) ?? operations.findRpc(c.req.path);
    const call = incomingCall(c.req.raw, c.env);
    if (known === undefined) return respond(unknownPath(kernel, c.req.path), call);
    return respond(wrongVerb(c.req.method, c.req.path), call, [["allow", "POST"]]);
  });

  async function respond(answer: JsonResponse, { header }: IncomingCall, more: HttpResponse["headers"] = []) {
    const { status, headers, body } = await formatResponse(answer, header, options.compress);
    return toResponse({ status, headers: [...headers, ...more], body });
  }

  return {
    app,
    call(path, call) {
      // A browser of another origin is the app's business.
      if (hasCors && call.header("origin") !== undefined) return undefined;
      const operation = kernel.operations.find(path);
      return operation && answerOperation(operation, call);
    },
  };
}
