import type { EdgeFetch, EdgeInstallation, EdgeOptions } from "edgehelm/edge";
import { createFetch } from "edgehelm/edge";
import { TestCredentials } from "../harness/credentials.ts";
import { type CallbackTarget, remoteObject, remoteStubs } from "./callback_targets.ts";

/** The request header with the settings of the installation as percent-encoded JSON. */
export const INSTALLATION_HEADER = "x-test-installation";

/** The installation of a test, which every request describes. */
export interface TestInstallation extends Pick<EdgeOptions, "database" | "key" | "http" | "limits" | "outbound"> {
  readonly id: string;
  /** The names of its plugins. */
  readonly plugins: readonly string[];
  /** The configuration of the plugins, by name. */
  readonly config: Readonly<Record<string, EdgeInstallation["plugins"][number]["config"]>>;
  /** The URL of the stubs and host parts. */
  readonly callback: string;
  readonly targets: readonly CallbackTarget[];
  /** The time of the test's clock in unix milliseconds. */
  readonly now: number;
  /** True with the last request. */
  readonly isOver?: boolean;
}

interface Instance {
  readonly fetch: EdgeFetch<unknown>;
  readonly clock: { time: number; now(): number };
}

/** Creates a worker that serves the installations of many tests. */
export function testWorker(bundled: EdgeInstallation["plugins"]) {
  const byName = new Map(bundled.map((use) => [use.plugin.manifest.name, use]));
  const instances = new Map<string, Instance>();

  function open({ plugins, config, now, callback, targets, ...settings }: TestInstallation): Instance {
    const clock = { time: now, now: () => clock.time };
    const hosts = new Map(targets.filter(({ kind }) => kind === "host").map((target) => [target.name, target]));
    const stubs = remoteStubs(callback, targets.filter(({ kind }) => kind === "stub"));
    const uses = plugins.map((name) => {
      const host = hosts.get(name);
      const openHost = host && (() => remoteObject(callback, host));
      return { ...byName.get(name)!, config: config[name], openHost };
    }).concat(stubs.map((plugin) => ({ plugin, config: undefined, openHost: undefined, at: "stub" })));
    const credentials = { plugin: new TestCredentials().plugin, at: "test credentials" };
    const fetch = createFetch({ ...settings, plugins: [...uses, credentials], clock, logLevel: "silent" });
    return { fetch, clock };
  }

  return {
    fetch(request: Request, environment: unknown, context: never): Promise<Response> | Response {
      const installation: TestInstallation = JSON.parse(decodeURIComponent(request.headers.get(INSTALLATION_HEADER)!));
      const { id, now, isOver } = installation;
      if (isOver) return new Response(String(instances.delete(id)));
      const instance = instances.get(id) ?? open(installation);
      instances.set(id, instance);
      instance.clock.time = now;
      return instance.fetch(request, environment, context);
    },
  };
}
