import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ReportNodeGroupService } from "../../../plugins/report_node_group/proto/service_report_node_group_pb.ts";
import { Random } from "../../harness/random.ts";
import {
  CHOSEN_KEY,
  installationDirectory,
  KEY,
  removeInstallation,
  runToEnd,
  Server,
  THIS_RUNTIME,
} from "../../harness/server.ts";
import { type Wire, WIRES } from "../../harness/wire.ts";
import type { Campaign, CampaignOptions, CampaignResult } from "../campaign.ts";
import { WireCaller } from "../wire_caller.ts";

const MAIN = fileURLToPath(new URL("jumping_main.ts", import.meta.url));
const ROUNDS = fileURLToPath(new URL("../../fixtures/rounds", import.meta.url));
const PLUGINS = ["admin", "api_access_token", "report_node_group", "user_access_key", ROUNDS];
const HOUR = 3_600_000;
const JUMPS = [HOUR, 24 * HOUR, 365 * 24 * HOUR];
const ALLOWED_SECONDS = 5;
/** The job of the plugin `rounds` is due each second, and may begin a tenth of it early. */
const MIN_PERIOD = 900;
const JOB_RUN = /"message":"round"/g;

/** Lets the clock of a server jump an hour, a day or a year, forward and back. */
export const clock: Campaign = {
  about: "lets the clock of a server jump an hour, a day or a year, forward and back",
  rounds: 60,
  run: jump,
};

async function jump({ seed, rounds, progress }: CampaignOptions): Promise<CampaignResult> {
  const environment: Record<string, string> = { ...await installationDirectory(PLUGINS), ...CHOSEN_KEY };
  const file = join(environment["EDGEHELM_MANIFEST"]!, "../clock");
  environment["TEST_CLOCK"] = file;
  writeFileSync(file, "0");
  const server = await Server.start(environment, THIS_RUNTIME, MAIN);
  try {
    const run = new ClockRun(server, file);
    const random = new Random(seed);
    await run.check("before the first jump", 0);
    for (let round = 0; round < rounds; round++) {
      progress(`${round} of ${rounds} jumps`);
      // every second jump goes back, so that the clock is far from the real one half of the time
      const by = round % 2 === 0 ? random.oneOf(JUMPS) * random.oneOf([1, -1]) : -run.offset;
      await run.jump(by);
      await run.check(`round ${round}, a jump of ${by / HOUR} hours`, by);
    }
    if (await server.stop() !== 0) run.broken.push(`the server ended with an error: ${server.output.slice(-500)}`);
    run.requireNoErrors();
    const { code, output } = await runToEnd(["audit", "verify"], environment);
    if (code !== 0) run.broken.push(output);
    return run;
  } finally {
    server.kill();
    await server.ended;
    await removeInstallation(environment);
  }
}

/** A token, with the time on the clock of the server at which it ends, in milliseconds. */
interface Token {
  readonly text: string;
  readonly expiresAt: number;
}

/** The work of a server until a time of the real clock. */
interface JobsBefore {
  readonly at: number;
  readonly runs: number;
  readonly cpu: number | undefined;
}

/** The state of a run, and its checks. */
class ClockRun implements CampaignResult {
  readonly figures = { jumps: 0, writes: 0, repeated: 0, tokens: 0, refusedTokens: 0, jobRuns: 0, maxCpuPercent: 0 };
  readonly broken: string[] = [];
  offset = 0;
  readonly #server: Server;
  readonly #file: string;
  readonly #tokens: Token[] = [];
  #created: readonly { readonly key: string; readonly id: bigint }[] = [];
  #next = 0;

  constructor(server: Server, file: string) {
    this.#server = server;
    this.#file = file;
  }

  async jump(by: number): Promise<void> {
    this.offset += by;
    // renamed, so that the server never reads half of it
    writeFileSync(`${this.#file}.new`, String(this.offset));
    const told = this.#timesTold();
    renameSync(`${this.#file}.new`, this.#file);
    while (this.#timesTold() === told) await wait(1);
    this.figures.jumps++;
  }

  /** @param by the last jump in milliseconds */
  async check(name: string, by: number): Promise<void> {
    const jobs = this.#startJobs();
    const fresh = await this.#issue();
    await this.#checkTokens(name, fresh);
    if (Math.abs(by) <= HOUR) await this.#repeat(name, fresh);
    await this.#write(name, fresh);
    await this.#checkJobs(name, jobs);
  }

  requireNoErrors(): void {
    const errors = this.#server.output.split("\n").filter((line) => line.includes('"level":"error"'));
    this.broken.push(...errors);
  }

  /** A new token is accepted, and none after its end. */
  async #checkTokens(name: string, fresh: Token): Promise<void> {
    for (const token of this.#tokens) {
      this.figures.tokens++;
      const before = this.#now();
      const { code, message } = await this.#server.postWith(token.text, "/ProbeService/look", { text: "changes" });
      if (code !== 200) this.figures.refusedTokens++;
      if (token === fresh && code !== 200) this.broken.push(`${name}: a new token was refused: ${code} ${message}`);
      if (code !== 200 && code !== 401) this.broken.push(`${name}: ${code} ${message}`);
      if (code === 200 && before > token.expiresAt) this.broken.push(`${name}: a token outlived its end`);
    }
  }

  async #issue(): Promise<Token> {
    const request = { type: "admin", accessKeyId: KEY.id, accessKey: KEY.secret };
    const { data, message } = await this.#server.postAnonymously("/APIAccessTokenService/getAPIAccessToken", request);
    if (data?.token === undefined) throw new Error(message);
    const token = { text: data.token as string, expiresAt: Number(data.expiresAt) * 1000 };
    if (this.#tokens.length >= 20) this.#tokens.shift();
    this.#tokens.push(token);
    return token;
  }

  /** Writes over every wire, and at once again with the same key. */
  async #write(name: string, token: Token): Promise<void> {
    const created = [];
    for (const wire of WIRES) {
      const key = `k${this.#next++}`;
      const id = await this.#create(token, wire, key);
      created.push({ key, id });
      this.figures.writes++;
    }
    this.#created = created;
    await this.#repeat(name, token);
  }

  /** Keys are kept for a day, so after a jump of an hour they still stand for what was created. */
  async #repeat(name: string, token: Token): Promise<void> {
    for (const { key, id } of this.#created) {
      const again = await this.#create(token, "http", key);
      this.figures.repeated++;
      if (again !== id) this.broken.push(`${name}: the key of object ${id} created object ${again}`);
    }
  }

  async #create(token: Token, wire: Wire, key: string): Promise<bigint> {
    const caller = new WireCaller(this.#server, token.text, wire);
    try {
      const method = ReportNodeGroupService.method.createReportNodeGroup;
      return (await caller.call(method, { name: key }, key)).reportNodeGroupId;
    } finally {
      caller.close();
    }
  }

  #startJobs(): JobsBefore {
    return { at: performance.now(), runs: this.#jobRuns(), cpu: cpuSeconds(this.#server.pid) };
  }

  /** The job goes on after a jump, but not once for each second that was jumped over. */
  async #checkJobs(name: string, { at, runs, cpu }: JobsBefore): Promise<void> {
    while (this.#jobRuns() < runs + 2) await wait(10);
    const elapsed = performance.now() - at;
    const made = this.#jobRuns() - runs;
    this.figures.jobRuns += made;
    if (made > elapsed / MIN_PERIOD + 2) {
      this.broken.push(`${name}: a job of each second ran ${made} times in ${elapsed} ms`);
    }
    if (cpu === undefined) return;
    const percent = Math.round((cpuSeconds(this.#server.pid)! - cpu) / elapsed * 100_000);
    this.figures.maxCpuPercent = Math.max(this.figures.maxCpuPercent, percent);
  }

  #jobRuns(): number {
    return this.#server.output.match(JOB_RUN)?.length ?? 0;
  }

  #timesTold(): number {
    return this.#server.output.match(/the clock is off by/g)?.length ?? 0;
  }

  /** A time that the clock of the server has passed, in milliseconds. */
  #now(): number {
    return Date.now() + this.offset - ALLOWED_SECONDS * 1000;
  }
}

/** Returns the time that a process has computed, where Linux tells it. */
function cpuSeconds(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return undefined;
  }
}
