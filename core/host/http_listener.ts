import type { Limits } from "../limits.ts";
import { listenDeno } from "./deno_listener.ts";
import type { App, Listener } from "./listener.ts";
import { listenNode } from "./node_listener.ts";
import type { Settings } from "./settings.ts";

export function listenHttp(app: App, settings: Settings["http"], limits: Limits): Promise<Listener> {
  return settings.behindProxy && "Deno" in globalThis ? listenDeno(app, settings) : listenNode(app, settings, limits);
}
