import { Hono } from "hono";
import { cors } from "hono/cors";
import type { Kernel } from "../kernel.ts";
import { type Compress, compressed, type Decompress } from "./compression.ts";
import { BodyBudget } from "./body.ts";
import { createRpcFetch } from "./connect.ts";
import { explorerPages } from "./explorer.ts";
import { type HeaderReader, headerReader, type HttpBindings, requestId, wantsPretty } from "./incoming.ts";
import { createAnswer } from "./operations.ts";
import { isNativeGrpc, nativeGrpcRefused, rootAnswer, unknownPath, wrongVerb } from "./pages.ts";
import { indented } from "./envelope.ts";

export interface HttpOptions {
  /** `ok`: failures of operations have HTTP status 200, as existing clients need; `mirror`: the envelope's code. */
  readonly errorStatus: "ok" | "mirror";
  /** Origins that browsers may call from; empty turns CORS off. */
  readonly corsOrigins: readonly string[];
  /** True when a reverse proxy stands in front, whose word on where a request comes from is taken. */
  readonly behindProxy: boolean;
  readonly compress: Compress;
  readonly decompress: Decompress;
  /** What /readyz answers: why calls should not come here now, or undefined. */
  readonly notReady: () => Promise<string | undefined>;
  /** The text of /metrics; undefined hides the page. */
  readonly metricsText?: (() => Promise<string>) | undefined;
}

/** A JSON answer before it is dressed for its caller. */
export interface JsonAnswer {
  readonly status: number;
  readonly json: string;
  /** Seconds, for a caller who should try again later. */
  readonly retryAfter?: number | undefined;
}

type HttpEnvironment = { Bindings: HttpBindings };

/** The installation over HTTP: every operation, gRPC-Web and Connect, pages and probes. */
export function createHttpApp(kernel: Kernel, options: HttpOptions): Hono<HttpEnvironment> {
  const app = new Hono<HttpEnvironment>();
  const budget = new BodyBudget(kernel.limits.bodiesBytes);
  const rpc = createRpcFetch(kernel, options.behindProxy, budget);
  const answerOperation = createAnswer(kernel, options, budget);
  if (options.corsOrigins.length > 0) app.use(cors({ origin: [...options.corsOrigins] }));

  app.on(["GET", "POST"], "/", (c) => dressed(rootAnswer(kernel), headerReader(c.req.raw, c.env)));
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
    const request = c.req.raw;
    const path = c.req.path;
    const header = headerReader(request, c.env);
    const operation = kernel.operations.find(path);
    if (operation !== undefined) {
      const id = requestId(header);
      return dressed(await answerOperation(operation, { request, bindings: c.env, header, id }), header, id);
    }
    if (kernel.operations.findRpc(path) !== undefined) {
      return isNativeGrpc(header) ? nativeGrpcRefused() : await rpc(request, c.env);
    }
    return dressed(unknownPath(kernel, path), header);
  });
  app.all("*", (c) => {
    const { operations } = kernel;
    const known = operations.find(c.req.path) ?? operations.findRpc(c.req.path);
    const header = headerReader(c.req.raw, c.env);
    if (known === undefined) return dressed(unknownPath(kernel, c.req.path), header);
    return dressed(wrongVerb(c.req.method, c.req.path), header, undefined, { allow: "POST" });
  });

  function dressed(
    { status, json, retryAfter }: JsonAnswer,
    header: HeaderReader,
    id?: string,
    more?: Readonly<Record<string, string>>,
  ): Response | Promise<Response> {
    const text = wantsPretty(header) ? indented(json) : json;
    const headers: Record<string, string> = { "content-type": "application/json; charset=utf-8", ...more };
    if (id !== undefined) headers["x-request-id"] = id;
    if (retryAfter !== undefined) headers["retry-after"] = String(retryAfter);
    return compressed(text, header("accept-encoding"), options.compress, status, headers);
  }

  return app;
}
