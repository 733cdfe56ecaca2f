import type { DescMethod, DescService } from "@bufbuild/protobuf";
import type { Call } from "../base/call.ts";
import { type Contract, type ExtensionPoint, providerOf } from "../base/contract.ts";
import { COMMON_MODULE } from "../base/modules.ts";
import { isEncoded } from "../calls/encoded.ts";
import { effectOf, modulesOf, type Operation, operationsOf, rolesOf } from "../calls/operation.ts";
import type { Handlers, ServeOptions } from "../plugin_api/handlers.ts";
import type { FetchHandler, Job, Receiver } from "../plugin_api/plugin.ts";
import { runPlain } from "../plugin_api/run_as.ts";
import type { PluginManifest } from "../plugin_api/plugin_manifest.ts";
import { database } from "../storage/database.ts";
import type { TableScope } from "../storage/engine.ts";
import type { DerivedTables } from "../storage/lists/derived_tables.ts";
import { OWN_PATHS } from "./own_paths.ts";
import type { Closer, Registrations, Starter } from "./registrations.ts";

/** The maximum interval of a job. Timers cannot wait longer than about 24.8 days. */
const MAX_SECONDS = 24 * 86_400;

/** The interval of the jobs that index the texts of lists. */
const INDEX_SECONDS = 5;

/** Registers the parts of one plugin, until it is closed. Invalid parts are errors, which are reported together. */
export class Registrar {
  readonly #manifest: PluginManifest;
  readonly #registrations: Registrations;
  readonly #served = new Set<string>();
  readonly #jobNames = new Set<string>();
  #isClosed = false;

  constructor(manifest: PluginManifest, registrations: Registrations) {
    this.#manifest = manifest;
    this.#registrations = registrations;
  }

  report(error: string): void {
    this.#registrations.errors.push(`plugin "${this.#manifest.name}" ${error}`);
  }

  serve<Service extends DescService>(service: Service, handlers: Handlers<Service>, options?: ServeOptions): void {
    this.#requireOpen("serve");
    const { operations, errors, jsonDepth } = this.#registrations;
    const { name } = this.#manifest;
    if (this.#served.has(service.name)) this.report(`serves the service ${service.name} twice`);
    this.#served.add(service.name);
    const found = serviceErrors(this.#manifest, service, handlers);
    if (found.length > 0) return void errors.push(...found);
    const served = operationsOf(service, handlers, name, jsonDepth, options);
    operations.push(...served.map((operation) => this.#asPlugin(operation)));
  }

  provide<Shape>(contract: Contract<Shape>, implementation: Shape): void {
    this.#requireOpen("provide");
    if (providerOf(contract) === this.#manifest.name) {
      this.#registrations.container.provide(contract, implementation);
    } else this.report(`provides contract "${contract.id}", which is not its own`);
  }

  contribute<Shape>(point: ExtensionPoint<Shape>, contribution: Shape): void {
    this.#requireOpen("contribute");
    if (!this.#manifest.contributes?.includes(point.id)) {
      this.report(
        `contributes to "${point.id}", which plugin.json does not declare: add it to "contributes", if it may do so`,
      );
    }
    if (point.isSingle && this.#registrations.container.contributions(point).length > 0) {
      this.report(`contributes to "${point.id}", to which another plugin already contributes`);
    }
    this.#registrations.container.contribute(point, contribution, this.#manifest.name);
  }

  /** Registers the jobs that keep the tables of declared lists up to date. */
  keep(derived: readonly DerivedTables[], scope: TableScope): void {
    for (const { job } of derived) {
      if (job !== undefined) this.every({ name: job.name, everySeconds: INDEX_SECONDS, run: job.run(database(scope)) });
    }
  }

  route(path: string, handler: FetchHandler): void {
    this.#requireOpen("route");
    const { routes } = this.#registrations;
    this.#requireDeclared(path);
    if (OWN_PATHS.has(path)) this.report(`serves the route ${path}, which every installation has`);
    if (routes.has(path)) this.report(`serves the route ${path}, which is already taken`);
    routes.set(path, (request) => this.#runAs(() => handler(request)));
  }

  receive(path: string, receiver: Receiver): void {
    this.#requireOpen("receive");
    const { receivers } = this.#registrations;
    this.#requireDeclared(path);
    if (receivers.has(path)) this.report(`receives requests to ${path}, which is already taken`);
    const { maxBytes, handler } = receiver;
    receivers.set(path, { maxBytes, handler: (request, call) => this.#runAs(() => handler(request, call)) });
  }

  every(job: Job): void {
    this.#requireOpen("every");
    const { name, everySeconds } = job;
    if (this.#jobNames.has(name)) this.report(`has two jobs "${name}"`);
    this.#jobNames.add(name);
    if (!(everySeconds > 0 && everySeconds <= MAX_SECONDS)) {
      this.report(
        `runs the job "${name}" every ${everySeconds} seconds; must be more than 0 and at most ${MAX_SECONDS}`,
      );
    }
    const run = (call: Call) => this.#runAs(() => job.run(call));
    this.#registrations.jobs.push({ ...job, run, owner: this.#manifest.name });
  }

  onStart(start: Starter["start"]): void {
    this.#requireOpen("onStart");
    this.#registrations.starters.push({ owner: this.#manifest.name, start });
  }

  onStop(close: Closer): void {
    this.#requireOpen("onStop");
    const owner = this.#manifest.name;
    this.#registrations.closers.push({ owner, close: (limit) => this.#runAs(() => close(limit)) });
  }

  /** Refuses further parts. */
  close(): void {
    this.#isClosed = true;
  }

  /** Reports the services of plugin.json that the plugin does not serve. */
  reportMissingServices(): void {
    for (const service of this.#manifest.services) {
      if (!this.#served.has(service)) this.report(`lists the service "${service}" but does not serve it`);
    }
  }

  #runAs<Result>(work: () => Result): Result {
    return this.#registrations.runAs(this.#manifest.name, work);
  }

  #asPlugin(operation: Operation): Operation {
    if (this.#registrations.runAs === runPlain) return operation;
    const { handler } = operation;
    return { ...operation, handler: (request, call) => this.#runAs(() => handler(request, call)) };
  }

  #requireDeclared(path: string): void {
    this.#registrations.pathOwners.set(path, this.#manifest.name);
    if (this.#manifest.routes?.some((route) => covers(route, path))) return;
    this.report(`serves ${path}, which plugin.json does not declare: add it to "routes", if it may do so`);
  }

  #requireOpen(method: string): void {
    if (this.#isClosed) throw new Error(`plugin "${this.#manifest.name}" calls ${method} after its setup`);
  }
}

/** Returns true if a declared route, such as `/explorer` or `/explorer/*`, contains a path. */
function covers(route: string, path: string): boolean {
  return route.endsWith("/*") ? path.startsWith(route.slice(0, -1)) : path === route;
}

function serviceErrors(
  { name, services, modules = [] }: PluginManifest,
  service: DescService,
  handlers: Readonly<Record<string, unknown>>,
): string[] {
  const errors = service.methods.flatMap((method) => {
    const at = `${service.name}.${method.name}`;
    const methodErrors: string[] = [];
    if (rolesOf(method).length === 0) methodErrors.push(`${at} declares no roles (edgehelm.allow)`);
    const effect = effectOf(method);
    if (effect === undefined) methodErrors.push(`${at} declares no effect (edgehelm.allow)`);
    else if (method.methodKind !== "unary" && effect !== "external") {
      methodErrors.push(`${at} is a stream and must declare the effect EXTERNAL`);
    }
    methodErrors.push(...moduleErrors(method, modules.map(({ code }) => code)).map((error) => `${at} ${error}`));
    const handler = handlers[method.localName];
    if (typeof handler !== "function") methodErrors.push(`${at} has no handler`);
    else if (isEncoded(handler) && method.methodKind !== "unary") {
      methodErrors.push(`${at} is a stream and cannot have an encoded handler`);
    }
    return methodErrors;
  });
  if (!services.includes(service.name)) errors.push(`the service ${service.name} is not listed in plugin.json`);
  return errors.map((error) => `plugin "${name}": ${error}`);
}

/** Returns the errors in the modules of a method. */
function moduleErrors(method: DescMethod, declared: readonly string[]): string[] {
  const modules = modulesOf(method);
  if (modules.length > 0 && !rolesOf(method).includes("admin")) {
    return ["lists modules, but admins may not call it (edgehelm.allow)"];
  }
  return modules.filter((module) => module !== COMMON_MODULE && !declared.includes(module))
    .map((module) => `lists the module "${module}", which plugin.json does not declare`);
}
