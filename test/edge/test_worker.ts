import type { EdgeFetch, EdgeInstallation, EdgeOptions } from "edgehelm/edge";
import { createFetch } from "edgehelm/edge";
import { TestCredentials } from "../harness/credentials.ts";
import { remoteObject, remoteStubs, type StandIn } from "./stand_ins.ts";

/** The request header that says which installation is meant: its settings as JSON, percent-encoded. */
export const INSTALLATION_HEADER = "x-test-installation";

/** One test's installation, as the worker is told with every request. */
export interface TestInstallation extends Pick<EdgeOptions, "database" | "key" | "http" | "limits"> {
  readonly id: string;
  /** The names of its plugins. */
  readonly plugins: readonly string[];
  /** Their configuration, by name. */
  readonly config: Readonly<Record<string, EdgeInstallation["plugins"][number]["config"]>>;
  /** Where stand-ins are reached. */
  readonly callback: string;
  readonly standIns: readonly StandIn[];
  /** What the test's clock shows, in unix milliseconds. */
  readonly now: number;
  /** True with the last request. */
  readonly isOver?: boolean;
}

interface Instance {
  readonly fetch: EdgeFetch<unknown>;
  readonly clock: { time: number; now(): number };
}

/** A worker that serves many tests' installations, each as a deployment of its own would. */
export function testWorker(bundled: EdgeInstallation["plugins"]) {
  const byName = new Map(bundled.map((use) => [use.plugin.manifest.name, use]));
  const instances = new Map<string, Instance>();

  function open({ plugins, config, now, callback, standIns, ...settings }: TestInstallation): Instance {
    const clock = { time: now, now: () => clock.time };
    const hosts = new Map(standIns.filter(({ kind }) => kind === "host").map((one) => [one.name, one]));
    const stubs = remoteStubs(callback, standIns.filter(({ kind }) => kind === "stub"));
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
