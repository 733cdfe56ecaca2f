import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { deploy, type Deployment, EdgeClient } from "../edge/deployment.ts";
import { Workerd } from "../servers/workerd.ts";
import { median, rounded } from "./statistics.ts";

const EMPTY_WORKER = 'export default { fetch: () => new Response("{}") };';

/** What one isolate took, in milliseconds: until its first call was answered, and for each call after that. */
interface Life {
  readonly start: number;
  readonly calls: readonly number[];
}

/**
 * The bundle of every plugin inside workerd, on a libSQL server beside it. A cold start is what its first answer takes
 * longer than that of a worker that does nothing, both counted from the start of the program.
 */
export async function benchEdge(rounds: number, milliseconds: number): Promise<Record<string, number>> {
  await using deployment = await deploy();
  const bundle = join(deployment.folder, "worker.js");
  const empty = join(deployment.folder, "empty.js");
  writeFileSync(empty, EMPTY_WORKER);
  const token = await tokenFor(deployment, bundle);
  const lives: Life[] = [];
  const emptyLives: Life[] = [];
  for (let round = 0; round < rounds; round++) {
    emptyLives.push(await live(empty, deployment, token, milliseconds));
    lives.push(await live(bundle, deployment, token, milliseconds));
  }
  const starts = (all: readonly Life[]) => median(all.map(({ start }) => start));
  const calls = (all: readonly Life[]) => median(all.flatMap((life) => life.calls));
  const bytes = readFileSync(bundle);
  return {
    bundle_bytes: bytes.length,
    bundle_gzip_bytes: gzipSync(bytes, { level: 9 }).length,
    cold_start_ms: rounded(starts(lives) - starts(emptyLives), 0),
    empty_start_ms: rounded(starts(emptyLives), 0),
    call_ms: rounded(calls(lives)),
    empty_call_ms: rounded(calls(emptyLives)),
    rounds,
  };
}

async function tokenFor({ variables }: Deployment, bundle: string): Promise<string> {
  await using workerd = await Workerd.start(bundle, variables);
  const client = new EdgeClient(workerd.url);
  const group = await client.post("/NSDomainGroupService/createNSDomainGroup", { name: "bench" });
  if (group.code !== 200) throw new Error(`nothing to find: ${group.message}`);
  return await client.token();
}

async function live(bundle: string, { variables }: Deployment, token: string, milliseconds: number): Promise<Life> {
  const started = performance.now();
  await using workerd = await Workerd.start(bundle, variables);
  const call = async () => {
    const init = { method: "POST", headers: { "x-cloud-access-token": token }, body: '{"nsDomainGroupId":1}' };
    const response = await fetch(`${workerd.url}/NSDomainGroupService/findNSDomainGroup`, init);
    const text = await response.text();
    if (!response.ok || text.includes('"reason"')) throw new Error(text);
  };
  await call();
  const answered = performance.now();
  const calls: number[] = [];
  for (let before = answered; before < answered + milliseconds;) {
    await call();
    const after = performance.now();
    calls.push(after - before);
    before = after;
  }
  return { start: answered - started, calls: calls.slice(1) };
}
