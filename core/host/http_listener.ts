import type { HttpService } from "../http/app.ts";
import type { Limits } from "../limits.ts";
import type { Logger } from "../log.ts";
import { listenDeno } from "./deno_listener.ts";
import { listenHttp1 } from "./http1_listener.ts";
import type { Listener } from "./listener.ts";
import type { Settings } from "./settings.ts";

export function listenHttp(
  service: HttpService,
  settings: Settings["http"],
  limits: Limits,
  log: Logger,
): Promise<Listener> {
  return settings.behindProxy && "Deno" in globalThis
    ? listenDeno(service.app, settings)
    : listenHttp1(service, settings, limits, log);
}
