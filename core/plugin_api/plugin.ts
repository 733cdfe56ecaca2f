import type { DescMessage, DescService, MessageShape } from "@bufbuild/protobuf";
import type { Migration } from "kysely/migration";
import type { Call } from "../base/call.ts";
import type { Clock } from "../base/clock.ts";
import type { Contract, ExtensionPoint } from "../base/contract.ts";
import type { Handlers } from "./handlers.ts";
import type { HostPart } from "./host_part.ts";
import type { Logger } from "../base/log.ts";
import type { PluginMetrics } from "../base/metrics.ts";
import type { Db } from "../storage/database.ts";

/** plugin.json: what must be known of a plugin before its code runs. */
export interface PluginManifest {
  /** snake_case; also the folder, the contract id and the suffix of its migration table. */
  readonly name: string;
  readonly version: string;
  /** The range of kernel versions it works with, such as `^1`. */
  readonly kernel: string;
  /** Short names of the services it serves; unique in an installation, since they are HTTP paths. */
  readonly services: readonly string[];
  /** The tables that are its own; no other plugin can touch them. */
  readonly tables: readonly string[];
  /** The module, relative to plugin.json, that needs the machine; loaded by the host only. */
  readonly host?: string;
}

type Dependencies<Requires> = {
  readonly [Name in keyof Requires]: Requires[Name] extends Contract<infer Shape> ? Shape : never;
};

/** A page of a plugin; it gets the request as it came and answers it whole. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/** Background work; one instance of many runs it at a time. */
export interface Job {
  /** Unique within the plugin. */
  readonly name: string;
  readonly everySeconds: number;
  /**
   * Gets a call of the role `system` that may transact. Its signal aborts, and its transactions fail, when the server
   * stops or another instance took the job over. Throwing is logged; the next round tries again.
   */
  readonly run: (call: Call) => Promise<void>;
}

/** What a plugin has to build itself with. Everything is its own: nothing is global. */
export interface Setup<Config, Requires, Host> {
  /** The plugin's own tables. */
  db<Tables>(): Db<Tables>;
  /** From the installation manifest, checked against the plugin's config message. */
  readonly config: Config;
  /** The contracts it requires. */
  readonly deps: Dependencies<Requires>;
  /** Whether other instances may stand on the same database: then what lies on this machine's disk is not all there is. */
  readonly isShared: boolean;
  /** What its host module offers; undefined where there is no machine to use (edge). */
  readonly host: Host | undefined;
  readonly log: Logger;
  readonly clock: Clock;
  /** What it counts and measures, shown on /metrics. */
  readonly metrics: PluginMetrics;
  /** Serves a service; every method of it must have a handler. */
  serve<Service extends DescService>(service: Service, handlers: Handlers<Service>): void;
  /** Offers a contract of its own to other plugins. */
  provide<Shape>(contract: Contract<Shape>, implementation: Shape): void;
  /** Adds to an extension point, of any plugin or of the kernel. */
  contribute<Shape>(point: ExtensionPoint<Shape>, contribution: Shape): void;
  /** What plugins contributed to a point; complete once the kernel runs, so read it when it is used. */
  contributions<Shape>(point: ExtensionPoint<Shape>): readonly Shape[];
  /** Serves GET requests of a path, such as `/explorer`. */
  route(path: string, handler: FetchHandler): void;
  /** Runs a job in the background. */
  every(job: Job): void;
  /** Runs when the installation stops, after its last call and before its database closes; the last one first. */
  onStop(close: () => Promise<void>): void;
}

export interface PluginSpec<Config extends DescMessage, Requires extends Record<string, Contract<unknown>>, Host> {
  readonly manifest: PluginManifest;
  /** The message of its configuration; left out when it has none. */
  readonly config?: Config;
  /** Contracts of other plugins and of the kernel, under names of its own. */
  readonly requires?: Requires;
  /** Migrations by name, `0001_create_plans`; they run in the order of their names and never change once released. */
  readonly migrations?: Readonly<Record<string, Migration>>;
  /** Declares that the plugin has a host module, and what type that offers. */
  readonly host?: HostPart<Host>;
  /** Wires it together. Runs once for each kernel, after migrations, providers before those that require them. */
  setup(setup: Setup<ConfigShape<Config>, Requires, Host>): void | Promise<void>;
}

type ConfigShape<Config extends DescMessage> = [Config] extends [never] ? undefined : MessageShape<Config>;

/** A plugin: an inert value. Making or importing one does nothing. */
export interface Plugin {
  readonly manifest: PluginManifest;
  readonly config?: DescMessage;
  readonly requires?: Readonly<Record<string, Contract<unknown>>>;
  readonly migrations?: Readonly<Record<string, Migration>>;
  readonly setup: (setup: Setup<unknown, Record<string, Contract<unknown>>, unknown>) => void | Promise<void>;
}

/**
 * Declares a plugin.
 *
 * @example
 * ```ts
 * const plugin: Plugin = definePlugin({
 *   manifest,
 *   setup({ serve }) {
 *     serve(HelloWorldService, { sayHello: ({ id, name }) => ({ result: `hello ${name}, you are ${id}` }) });
 *   },
 * });
 * export default plugin;
 * ```
 */
export function definePlugin<
  Config extends DescMessage = never,
  const Requires extends Record<string, Contract<unknown>> = Record<never, never>,
  Host = never,
>(spec: PluginSpec<Config, Requires, Host>): Plugin {
  return spec as unknown as Plugin;
}
