import { appendFileSync } from "node:fs";
import process from "node:process";
import { encodeBase64url } from "../../core/auth/base64url.ts";
import type { Call } from "edgehelm";
import type { TestKernelOptions } from "../harness/kernel.ts";
import { firstParty } from "../matrix/plugins.ts";
import { Workerd } from "../servers/workerd.ts";
import { Callbacks, callbackTargets } from "./callbacks.ts";
import { INSTALLATION_HEADER, type TestInstallation } from "./test_worker.ts";

/** The installation of a test inside workerd. */
export interface EdgeKernel {
  fetch(request: Request): Promise<Response>;
  stop(): Promise<void>;
}

/** Shared by all kernels of a test file. */
let workerd: Promise<Workerd> | undefined;
let callbacks: Promise<Callbacks> | undefined;

/**
 * Opens the installation of a test inside workerd.
 *
 * @param url the URL of its database
 * @param call returns the call for stubs and host parts, which stay in this process
 * @returns undefined if the installation has parts that exist only in this process
 */
export async function openEdgeKernel(
  options: TestKernelOptions,
  url: string | undefined,
  key: Uint8Array,
  now: () => number,
  call: () => Call,
): Promise<EdgeKernel | undefined> {
  const reason = localParts(options, url);
  const line = reason === undefined ? "kernels served by workerd" : `kernels served in process, which have ${reason}`;
  appendFileSync(process.env["TEST_WORKERD_LOG"]!, `${line}\n`);
  if (reason !== undefined) return undefined;
  workerd ??= Workerd.start(process.env["TEST_WORKERD_BUNDLE"]!);
  callbacks ??= Callbacks.start();
  const [{ url: origin }, callbackServer] = await Promise.all([workerd, callbacks]);
  const id = crypto.randomUUID();
  const installation: Omit<TestInstallation, "now"> = {
    id,
    callback: callbackServer.add(id, options, call),
    targets: callbackTargets(options),
    database: { url: url! },
    key: encodeBase64url(key),
    plugins: options.plugins.map(({ manifest }) => manifest.name),
    config: options.config ?? {},
    http: options.http ?? {},
    limits: options.limits ?? {},
    outbound: options.outbound ?? {},
  };
  async function send(request: Request, isOver = false): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const headers = new Headers(request.headers);
    headers.set(INSTALLATION_HEADER, encodeURIComponent(JSON.stringify({ ...installation, now: now(), isOver })));
    // Runtimes and libraries would otherwise add encodings.
    if (!headers.has("accept-encoding")) headers.set("accept-encoding", "identity");
    const { method, signal } = request;
    const body = request.body === null ? null : await request.arrayBuffer();
    return await fetch(`${origin}${pathname}${search}`, { method, headers, body, signal, redirect: "manual" });
  }
  return {
    fetch: send,
    async stop() {
      const response = await send(new Request("http://edgehelm.test/"), true);
      await response.body?.cancel();
      callbackServer.remove(id);
    },
  };
}

/** Describes the part of an installation that cannot run in another process, if there is one. */
function localParts({ plugins, hosts = {}, http = {}, log, admins }: TestKernelOptions, url: string | undefined) {
  if (url === undefined) return "a database of their own";
  const ownPlugin = plugins.find((plugin) => !firstParty.includes(plugin));
  if (ownPlugin !== undefined) return `a plugin of their own, ${ownPlugin.manifest.name}`;
  if (log !== undefined) return "a log of their own";
  if (admins !== undefined) return "admins of their own";
  if (!Object.keys(http).every((name) => name === "errorStatus" || name === "corsOrigins")) return "HTTP of their own";
  const members = Object.values(hosts).flatMap((host) => Object.values(host as object));
  if (members.some((member) => typeof member !== "function")) return "a host part with more than functions";
  return undefined;
}
