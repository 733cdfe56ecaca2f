import type { Call } from "../base/call.ts";
import { refuseInTransaction } from "../storage/kernel_call.ts";

declare const api: unique symbol;

/** Names the type that a plugin's host module offers, without importing the module. */
export interface HostPart<Api> {
  readonly [api]?: Api;
}

/** Declares a host module's type: `host: hostPart<Resolver>()`. */
export function hostPart<Api>(): HostPart<Api> {
  return {};
}

/** What every function of a host module looks like: it does outside I/O, so it takes the call first. */
export type HostFunction = (call: Call, ...details: never[]) => unknown;

/** Where on the machine a host module may keep things. */
export interface HostContext {
  /** The directory of the installation's files (`EDGEHELM_DATA`). */
  readonly dataDirectory: string;
}

/** What a host module exports as `open`: makes the API, given the plugin's configuration. */
export type OpenHost<Api, Config = unknown> = (config: Config, place: HostContext) => Api;

/** The API with every function refusing to run inside a transaction. */
export function guardHost<Api extends object>(plugin: string, host: Api): Api {
  // A proxy, since the API may be an instance of a class, whose methods are not its own properties.
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
