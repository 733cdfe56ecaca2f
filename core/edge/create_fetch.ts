import { systemClock } from "../base/clock.ts";
import { RpcError } from "../base/errors.ts";
import { createLogger, errorText } from "../base/log.ts";
import { Background } from "./background.ts";
import { unavailableResponse } from "./unavailable_responses.ts";
import type { IsolateDeps } from "./installation.ts";
import { Keeper } from "./installation_holder.ts";
import { EdgeMetrics } from "./metrics.ts";
import type { EdgeOptions } from "./options.ts";

/** What a runtime hands over with a request or event. */
export interface EdgeContext {
  /** Keeps what the request began going after its answer, or its caller, is gone. */
  waitUntil(work: Promise<unknown>): void;
}

/** A fetch handler, with what runs on a schedule. */
export interface EdgeFetch<Environment> {
  (request: Request, environment?: Environment, context?: EdgeContext): Promise<Response>;
  /** Runs the background jobs that are due; call it once a minute. */
  scheduled(event?: unknown, environment?: Environment, context?: EdgeContext): Promise<void>;
}

/**
 * An installation as a fetch handler: HTTP JSON, Connect, gRPC-Web and pages. It is opened with the first request, on a
 * remote database that `deno task migrate` made.
 *
 * @param options or what makes them from the runtime's environment, which is there with the first request only
 *
 * @example
 * ```ts
 * const fetch = createFetch((env: EdgeVariables) => ({ ...installation, ...fromVariables(env) }));
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
    const { answer, begin } = isolateOf(environment as Environment);
    const settled = begin();
    const response = answer(request, environment as Environment);
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
  readonly #keeper: Keeper;

  constructor(options: EdgeOptions<Environment>) {
    const { logLevel: level = "info", clock = systemClock, writeLog: write = writeToConsole } = options;
    const log = createLogger({ level, write, clock });
    this.#options = options;
    this.#deps = { background: new Background(), metrics: new EdgeMetrics(), log };
    this.#keeper = new Keeper(options, this.#deps);
  }

  readonly begin = (): () => Promise<void> => this.#deps.background.begin();

  readonly answer = async (request: Request, environment: Environment): Promise<Response> => {
    try {
      const installation = await this.#keeper.get();
      return await installation.answer(request, this.#options.remoteAddress?.(request, environment));
    } catch (error) {
      if (error instanceof RpcError) {
        return unavailableResponse(request, error, this.#options.http?.errorStatus === "mirror");
      }
      this.#deps.log.error("a request failed", { error: errorText(error) });
      return new Response("internal error\n", { status: 500 });
    }
  };

  readonly runDueJobs = async (): Promise<void> => {
    const { kernel } = await this.#keeper.get();
    await kernel.runDueJobs();
  };
}

function writeToConsole(line: string): void {
  console.log(line.trimEnd());
}
