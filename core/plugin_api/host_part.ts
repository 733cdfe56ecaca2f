import type { Call } from "../base/call.ts";
import { refuseInTransaction } from "../storage/kernel_call.ts";

declare const api: unique symbol;

/** The type of a plugin's host module, declared without importing the module. */
export interface HostPart<Api> {
  readonly [api]?: Api;
}

/**
 * Declares the type of a plugin's host module: the module in `plugin.json` that needs a machine, for example for files,
 * mail or native packages. It is loaded on Deno and Node only.
 *
 * @example
 * ```ts
 * export interface Resolver {
 *   lookUp(call: Call, name: string): Promise<string[]>;
 * }
 *
 * const plugin: Plugin = definePlugin({
 *   manifest,
 *   host: hostPart<Resolver>(),
 *   setup({ host, serve }) {
 *     serve(LookupService, lookupHandlers(host));
 *   },
 * });
 * ```
 */
export function hostPart<Api>(): HostPart<Api> {
  return {};
}

/** A function of a host module. It does I/O, so its first argument is the call. */
export type HostFunction = (call: Call, ...details: never[]) => unknown;

/** The environment of a host module. */
export interface HostContext {
  /** The directory for the installation's files (`EDGEHELM_DATA`). */
  readonly dataDirectory: string;
}

/**
 * The function that a host module exports as `open`. It creates the module's API from the plugin's configuration.
 *
 * @example
 * ```ts
 * export const open: OpenHost<Resolver, ResolverConfig> = ({ servers }) => new DnsResolver(servers);
 * ```
 */
export type OpenHost<Api, Config = unknown> = (config: Config, context: HostContext) => Api;

/** Wraps a host API so that its functions throw inside a transaction. */
export function guardHost<Api extends object>(plugin: string, host: Api): Api {
  // A proxy, because the API may be a class instance, whose methods are not own properties.
  return new Proxy({}, {
    get(_target, name) {
      const member: unknown = Reflect.get(host, name);
      if (typeof member !== "function") return member;
      return (call: Call, ...details: unknown[]) => {
        refuseInTransaction(call, `${plugin}: ${String(name)}`);
        return member.call(host, call, ...details);
      };
    },
  }) as Api;
}
