import { appendFileSync } from "node:fs";
import process from "node:process";
import { encodeBase64url } from "../../core/auth/base64url.ts";
import type { Call } from "edgehelm";
import type { TestKernelOptions } from "../harness/kernel.ts";
import { firstParty } from "../matrix/plugins.ts";
import { Workerd } from "../servers/workerd.ts";
import { Callbacks, standIns } from "./callbacks.ts";
import { INSTALLATION_HEADER, type TestInstallation } from "./test_worker.ts";

/** A test's installation inside workerd. */
export interface EdgeKernel {
  fetch(request: Request): Promise<Response>;
  stop(): Promise<void>;
}

/** One of each for all kernels of a test file. */
let workerd: Promise<Workerd> | undefined;
let callbacks: Promise<Callbacks> | undefined;

/**
 * The same installation inside workerd; undefined for one with parts that only a test's own process has.
 *
 * @param url of its database
 * @param call what stubs and host parts get, which stay here
 */
export async function openEdgeKernel(
  options: TestKernelOptions,
  url: string | undefined,
  key: Uint8Array,
  now: () => number,
  call: () => Call,
): Promise<EdgeKernel | undefined> {
  const reason = ownParts(options, url);
  const place = reason === undefined ? "kernels served by workerd" : `kernels served in process: they have ${reason}`;
  appendFileSync(process.env["TEST_WORKERD_LOG"]!, `${place}\n`);
  if (reason !== undefined) return undefined;
  workerd ??= Workerd.start(process.env["TEST_WORKERD_BUNDLE"]!);
  callbacks ??= Callbacks.start();
  const [{ url: origin }, calledBack] = await Promise.all([workerd, callbacks]);
  const id = crypto.randomUUID();
  const installation: Omit<TestInstallation, "now"> = {
    id,
    callback: calledBack.add(id, options, call),
    standIns: standIns(options),
    database: { url: url! },
    key: encodeBase64url(key),
    plugins: options.plugins.map(({ manifest }) => manifest.name),
    config: options.config ?? {},
    http: options.http ?? {},
    limits: options.limits ?? {},
  };
  async function send(request: Request, isOver = false): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const headers = new Headers(request.headers);
    headers.set(INSTALLATION_HEADER, encodeURIComponent(JSON.stringify({ ...installation, now: now(), isOver })));
    // Runtimes and libraries would add encodings that the test did not ask for.
    if (!headers.has("accept-encoding")) headers.set("accept-encoding", "identity");
    const { method, signal } = request;
    const body = request.body === null ? null : await request.arrayBuffer();
    return await fetch(`${origin}${pathname}${search}`, { method, headers, body, signal, redirect: "manual" });
  }
  return {
    fetch: send,
    async stop() {
      const answer = await send(new Request("http://edgehelm.test/"), true);
      await answer.body?.cancel();
      calledBack.remove(id);
    },
  };
}

/** What of an installation cannot be sent to another process, in words. */
function ownParts({ plugins, hosts = {}, http = {}, log }: TestKernelOptions, url: string | undefined) {
  if (url === undefined) return "a database of their own";
  const own = plugins.find((plugin) => !firstParty.includes(plugin));
  if (own !== undefined) return `a plugin of their own, ${own.manifest.name}`;
  if (log !== undefined) return "a log of their own";
  if (!Object.keys(http).every((name) => name === "errorStatus" || name === "corsOrigins")) return "HTTP of their own";
  const members = Object.values(hosts).flatMap((host) => Object.values(host as object));
  if (members.some((member) => typeof member !== "function")) return "a host part with more than functions";
  return undefined;
}
