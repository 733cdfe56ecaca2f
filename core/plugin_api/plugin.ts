import type { DescMessage, DescService, MessageShape } from "@bufbuild/protobuf";
import type { Migration } from "kysely/migration";
import type { SealedColumn } from "../auth/resealing/sealed_column.ts";
import type { Call } from "../base/call.ts";
import type { Clock, Timers } from "../base/clock.ts";
import type { Contract, ExtensionPoint } from "../base/contract.ts";
import type { EventKind } from "../events/event_kind.ts";
import type { Handlers, ServeOptions } from "./handlers.ts";
import type { HostPart } from "./host_part.ts";
import type { Logger } from "../base/log.ts";
import type { PluginMetrics } from "../base/metrics.ts";
import type { PluginManifest } from "./plugin_manifest.ts";
import type { Db } from "../storage/database.ts";
import type { DerivedTables } from "../storage/lists/derived_tables.ts";

type Dependencies<Requires> = {
  readonly [Name in keyof Requires]: Requires[Name] extends Contract<infer Shape> ? Shape : never;
};

/**
 * Serves a page of a plugin with the standard Request and Response.
 *
 * @example
 * ```ts
 * route("/hello", () => new Response("hello\n"));
 * ```
 */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/**
 * Handles a request that is no operation. Its call is anonymous, has the address of the client, and may transact until
 * the response is returned.
 *
 * @example
 * ```ts
 * const greet: ReceiveHandler = (_request, call) => new Response(`hello, ${call.remoteAddress}\n`);
 * receive("/greetings", 1024, greet);
 * ```
 */
export type ReceiveHandler = (request: Request, call: Call) => Response | Promise<Response>;

/** A handler of POST requests to a path. */
export interface Receiver {
  readonly maxBytes: number;
  readonly handler: ReceiveHandler;
}

/**
 * A background job. Only one instance of an installation runs it at a time.
 *
 * @example
 * ```ts
 * every({
 *   name: "delete_expired",
 *   everySeconds: 3600,
 *   run: (call) => call.transact((inner) => store.deleteExpired.run(inner, { now: unixSeconds(clock) })).then(() => {}),
 * });
 * ```
 */
export interface Job {
  /** Unique within the plugin. */
  readonly name: string;
  /** The interval between two runs in seconds, more than 0 and at most 24 days. */
  readonly everySeconds: number;
  /**
   * Runs the job with a call of the role `system` that may transact. If the server stops or another instance takes the
   * job over, the call's signal aborts and its transactions fail. An error is logged, and the job runs again after its
   * interval.
   */
  readonly run: (call: Call) => Promise<void>;
}

/** The dependencies of a plugin and the functions that register its parts. Each kernel passes its own. */
export interface Setup<Config, Requires, Host> {
  /** Returns access to the plugin's tables. */
  db<Tables>(): Db<Tables>;
  /** The configuration from the installation manifest, validated against the plugin's config message. */
  readonly config: Config;
  /** The implementations of the contracts in `requires`. */
  readonly deps: Dependencies<Requires>;
  /** True if other instances may use the same database. The files on this machine are then not the only ones. */
  readonly isShared: boolean;
  /** The API of the plugin's host module; undefined on edge runtimes. */
  readonly host: Host | undefined;
  readonly log: Logger;
  readonly clock: Clock;
  /** Runs work once after a delay, on this instance only. Use `every` for what one instance does for all. */
  readonly timers: Timers;
  /** Creates metrics, which are exported at /metrics. */
  readonly metrics: PluginMetrics;
  /**
   * Creates a call of the installation itself, with the role `system`, for work that neither a caller nor a job began,
   * such as that of a timer. It may read and transact at any time between setup and the end of `onStop`.
   *
   * @param name what the call does, for logs and errors
   * @param deadline unix milliseconds; then its signal aborts, and a remote database no longer runs its statements. By
   *   default there is none
   *
   * @example
   * ```ts
   * timers.after(5000, () => {
   *   const call = systemCall("cache cleanup", Date.now() + 1000);
   *   call.transact((inner) => store.clean.run(inner, {}))
   *     .catch((error) => log.warn("cache cleanup failed", { error: errorText(error) }));
   * });
   * ```
   */
  systemCall(name: string, deadline?: number): Call;
  /** Registers a service with a handler for every method. */
  serve<Service extends DescService>(service: Service, handlers: Handlers<Service>, options?: ServeOptions): void;
  /** Registers the implementation of a contract that this plugin owns. */
  provide<Shape>(contract: Contract<Shape>, implementation: Shape): void;
  /** Contributes to an extension point of a plugin or of the kernel. */
  contribute<Shape>(point: ExtensionPoint<Shape>, contribution: Shape): void;
  /** Returns the contributions to an extension point. They are complete after setup, so read them when they are used. */
  contributions<Shape>(point: ExtensionPoint<Shape>): readonly Shape[];
  /**
   * Registers a page for GET requests to a path, such as `/explorer`. A page for `/` is for browsers; programs that ask
   * for anything but HTML get the description of the server there. Paths that every installation has, such as `/livez`,
   * are refused.
   */
  route(path: string, handler: FetchHandler): void;
  /**
   * Registers a receiver of POST requests that do not call operations, such as web hooks. The request has no caller: the
   * handler must authenticate it.
   *
   * @param path a path such as `/payments/notices`, without parameters
   * @param maxBytes the limit for the body, which the handler gets whole; a larger one is refused
   *
   * @example
   * ```ts
   * receive("/notices", 65_536, async (request) => new Response(await isSigned(request) ? "ok\n" : "unsigned\n"));
   * ```
   */
  receive(path: string, maxBytes: number, handler: ReceiveHandler): void;
  /** Registers a background job. */
  every(job: Job): void;
  /**
   * Registers a function that runs when all plugins are set up, before the first call: contributions are then complete.
   * If it throws, the installation does not start.
   */
  onStart(start: () => void | Promise<void>): void;
  /**
   * Registers a function that runs after the last call and before the database closes, in reverse order: a plugin stops
   * before those whose contracts it requires.
   *
   * @param close gets the time that the installation grants it, in milliseconds, and should end within it
   *
   * @example
   * ```ts
   * onStop(async (limitMilliseconds) => {
   *   await systemCall("sensor stop", Date.now() + limitMilliseconds).transact((inner) => store.signOff.run(inner, {}));
   * });
   * ```
   */
  onStop(close: (limitMilliseconds: number) => Promise<void>): void;
}

/** The argument of {@link definePlugin}. */
export interface PluginSpec<Config extends DescMessage, Requires extends Record<string, Contract<unknown>>, Host> {
  readonly manifest: PluginManifest;
  /** The schema of its configuration, if it has one. */
  readonly config?: Config;
  /** Its errors, from `defineErrors`, which the description of the API lists. */
  readonly errors?: object;
  /** Imports the comments of its proto files, which the description of the API contains. */
  readonly comments?: () => Promise<CommentsModule>;
  /**
   * Imports the reasons of the errors of each of its operations. Without it, the description of the API lists all
   * `errors` for every operation.
   */
  readonly reasons?: () => Promise<ReasonsModule>;
  /** The contracts of other plugins and of the kernel that it uses, under names of its choice. */
  readonly requires?: Requires;
  /** Migrations by name, such as `0001_create_plans`. They run in name order and must not change once released. */
  readonly migrations?: Readonly<Record<string, Migration>>;
  /** Its lists, from `declareList`. Their migrations are part of `migrations`; their jobs run by themselves. */
  readonly lists?: readonly DerivedTables[];
  /** Its feeds, from `declareFeed`. Their migrations are part of `migrations`. */
  readonly feeds?: readonly DerivedTables[];
  /** The columns in which it stores values that it seals with the contract `Secrets`. */
  readonly sealed?: readonly SealedColumn[];
  /** The kinds of events that it emits, from `defineEvent`. */
  readonly events?: readonly EventKind[];
  /** The type of its host module, if it has one; see {@link hostPart}. */
  readonly host?: HostPart<Host>;
  /** Wires the plugin together. It runs once for each kernel, after migrations and after the plugins that it requires. */
  setup(setup: Setup<ConfigShape<Config>, Requires, Host>): void | Promise<void>;
}

type ConfigShape<Config extends DescMessage> = [Config] extends [never] ? undefined : MessageShape<Config>;

/** The comments of proto files, by the full name of what they describe, such as `pb.User.fullname`. */
export type Comments = Readonly<Record<string, string>>;

/** The generated module `proto/comments_pb.ts` of a plugin. */
export interface CommentsModule {
  readonly comments: Comments;
  /** Imports the comments in other languages, by language, such as `zh`. */
  readonly translations?: Readonly<Record<string, () => Promise<{ readonly comments: Comments }>>>;
}

/** The reasons of the errors that the code of operations gives, by HTTP path. */
export interface ReasonsModule {
  readonly reasons: Readonly<Record<string, readonly string[]>>;
}

/** A plugin. It is an inert value: importing or creating it has no side effects. */
export interface Plugin {
  readonly manifest: PluginManifest;
  readonly config?: DescMessage;
  readonly errors?: object;
  readonly comments?: () => Promise<CommentsModule>;
  readonly reasons?: () => Promise<ReasonsModule>;
  readonly requires?: Readonly<Record<string, Contract<unknown>>>;
  readonly migrations?: Readonly<Record<string, Migration>>;
  readonly lists?: readonly DerivedTables[];
  readonly feeds?: readonly DerivedTables[];
  readonly sealed?: readonly SealedColumn[];
  readonly events?: readonly EventKind[];
  readonly setup: (setup: Setup<unknown, Record<string, Contract<unknown>>, unknown>) => void | Promise<void>;
}

/**
 * Defines a plugin.
 *
 * @returns the plugin, which plugin.ts exports as default
 *
 * @example
 * ```ts
 * import { definePlugin, type Plugin } from "edgehelm";
 * import manifest from "./plugin.json" with { type: "json" };
 * import { HelloWorldService } from "./proto/service_hello_world_pb.ts";
 *
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

/** Returns everything that is derived from the tables of a plugin. */
export function derivedOf({ lists = [], feeds = [] }: Plugin): readonly DerivedTables[] {
  return [...lists, ...feeds];
}

/** Returns the tables that a plugin can access: those in plugin.json and those that are derived from them. */
export function tablesOf(plugin: Plugin): readonly string[] {
  return [...plugin.manifest.tables, ...derivedOf(plugin).flatMap(({ tables }) => tables)];
}

/** Returns the tables of a plugin that stay small, with their maximum number of rows. */
export function smallTablesOf(plugin: Plugin): ReadonlyMap<string, number> {
  const single = derivedOf(plugin).flatMap(({ singleRow = [] }) => singleRow);
  return new Map([...Object.entries(plugin.manifest.smallTables ?? {}), ...single.map((name) => [name, 1] as const)]);
}

/** Returns the names of the migrations that make the tables of declared lists and feeds. */
export function derivedMigrations(plugin: Plugin): ReadonlySet<string> {
  const derived = new Set(derivedOf(plugin).map(({ migration }) => migration));
  return new Set(Object.entries(plugin.migrations ?? {}).filter(([, one]) => derived.has(one)).map(([name]) => name));
}

/**
 * Returns the migrations of a plugin as they run. Of several that make the same derived tables again, only the last one
 * does it, because the columns that the current declaration names may not exist before.
 */
export function migrationsOf(plugin: Plugin): Readonly<Record<string, Migration>> {
  const { migrations = {} } = plugin;
  const lastOf = new Map(
    Object.entries(migrations).sort(([a], [b]) => a < b ? -1 : 1).map(([name, one]) => [one, name]),
  );
  const derived = derivedMigrations(plugin);
  const runs = Object.entries(migrations).map(([name, migration]) => {
    const isRepeated = derived.has(name) && lastOf.get(migration) !== name;
    return [name, isRepeated ? { up: () => Promise.resolve() } : migration];
  });
  return Object.fromEntries(runs);
}
