import { systemClock } from "../base/clock.ts";
import { RpcError } from "../base/errors.ts";
import { createLogger, errorText } from "../base/log.ts";
import { Background } from "./background.ts";
import { unavailableResponse } from "./unavailable_responses.ts";
import type { IsolateDeps } from "./installation.ts";
import { InstallationHolder } from "./installation_holder.ts";
import { EdgeMetrics } from "./metrics.ts";
import type { EdgeOptions } from "./options.ts";

/** The execution context that a runtime passes with a request or a scheduled event. */
export interface EdgeContext {
  /** Lets work continue after the response has been sent or the caller has disconnected. */
  waitUntil(work: Promise<unknown>): void;
}

/** A fetch handler with a handler for scheduled events, as {@link createFetch} returns it. */
export interface EdgeFetch<Environment> {
  /**
   * Handles a request.
   *
   * @param environment the variables and bindings that the runtime passes
   * @param context the execution context, on runtimes that have one
   * @returns the response; an error becomes a response too
   */
  (request: Request, environment?: Environment, context?: EdgeContext): Promise<Response>;
  /**
   * Runs the background jobs that are due. Call it once a minute.
   *
   * @throws RpcError of kind `unavailable` if the installation cannot be opened
   */
  scheduled(event?: unknown, environment?: Environment, context?: EdgeContext): Promise<void>;
}

/**
 * Creates a fetch handler that serves an installation: HTTP JSON, Connect, gRPC-Web and the pages. The first request
 * opens the installation on a remote database, which `deno task migrate` must have migrated.
 *
 * @param options the options, or a function that returns them for the environment of the first request
 * @returns the handler; while the installation cannot be opened, it responds with `unavailable` (HTTP status 503)
 *
 * @example
 * ```ts
 * import { createFetch, type EdgeVariables, fromVariables } from "edgehelm/edge";
 * import { databaseUrl, installation } from "./plugins.ts"; // written by `deno task bundle`
 *
 * const fetch = createFetch((variables: EdgeVariables) => ({
 *   ...installation,
 *   ...fromVariables(variables, databaseUrl),
 * }));
 *
 * export default { fetch, scheduled: fetch.scheduled };
 * ```
 */
export function createFetch<Environment = unknown>(
  options: EdgeOptions<Environment> | ((environment: Environment) => EdgeOptions<Environment>),
): EdgeFetch<Environment> {
  let isolate: Isolate<Environment> | undefined;
  const isolateOf = (environment: Environment) =>
    isolate ??= new Isolate(typeof options === "function" ? options(environment) : options);

  const fetch = (request: Request, environment?: Environment, context?: EdgeContext): Promise<Response> => {
    const { handle, begin } = isolateOf(environment as Environment);
    const settled = begin();
    const response = handle(request, environment as Environment);
    context?.waitUntil(response.then(settled, settled));
    return response;
  };
  const scheduled = async (_event?: unknown, environment?: Environment, context?: EdgeContext): Promise<void> => {
    const { runDueJobs, begin } = isolateOf(environment as Environment);
    const settled = begin();
    const done = runDueJobs();
    context?.waitUntil(done.then(settled, settled));
    await done;
  };
  return Object.assign(fetch, { scheduled });
}

class Isolate<Environment> {
  readonly #options: EdgeOptions<Environment>;
  readonly #deps: IsolateDeps;
  readonly #holder: InstallationHolder;

  constructor(options: EdgeOptions<Environment>) {
    const { logLevel: level = "info", clock = systemClock, writeLog: write = writeToConsole } = options;
    const log = createLogger({ level, write, clock });
    this.#options = options;
    this.#deps = { background: new Background(), metrics: new EdgeMetrics(), log };
    this.#holder = new InstallationHolder(options, this.#deps);
  }

  readonly begin = (): () => Promise<void> => this.#deps.background.begin();

  readonly handle = async (request: Request, environment: Environment): Promise<Response> => {
    try {
      const installation = await this.#holder.get();
      return await installation.handle(request, this.#options.remoteAddress?.(request, environment));
    } catch (error) {
      if (error instanceof RpcError) {
        return unavailableResponse(request, error, this.#options.http?.errorStatus === "mirror");
      }
      this.#deps.log.error("request failed", { error: errorText(error) });
      return new Response("internal error\n", { status: 500 });
    }
  };

  readonly runDueJobs = async (): Promise<void> => {
    const { kernel } = await this.#holder.get();
    await kernel.runDueJobs();
  };
}

function writeToConsole(line: string): void {
  console.log(line.trimEnd());
}
