import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { TemporaryFolder } from "../installation/temporary_folder.ts";
import { framed, type GrpcCall, probeGrpc } from "./grpc_call.ts";
import { type H2loadResult, latencyInLog, parseH2loadOutput } from "./h2load_output.ts";

const run = promisify(execFile);

export interface H2loadOptions {
  readonly port: number;
  readonly connections: number;
  /** Calls in flight on each connection. */
  readonly streams: number;
  readonly calls: number;
}

/** gRPC calls made by h2load in one thread, all with the same message. */
export class GrpcLoad {
  readonly #call: GrpcCall;
  readonly #folder: TemporaryFolder;
  /** By port: the bytes of one response. */
  readonly #responseBytes = new Map<number, number>();

  constructor(call: GrpcCall, folder: TemporaryFolder) {
    this.#call = call;
    this.#folder = folder;
  }

  async run(options: H2loadOptions): Promise<H2loadResult> {
    return await this.#run(options, []);
  }

  /** Calls at a steady rate; returns the latency in milliseconds that 99 of 100 stay under. */
  async p99At(perSecond: number, options: H2loadOptions): Promise<number> {
    const log = join(this.#folder.path, "h2load.log");
    await writeFile(log, "");
    await this.#run(options, [`--rps=${Math.round(perSecond / options.connections)}`, `--log-file=${log}`]);
    return latencyInLog(await readFile(log, "utf8"), 0.99);
  }

  async #run({ port, connections, streams, calls }: H2loadOptions, more: readonly string[]): Promise<H2loadResult> {
    const { path, headers, message, mayFail = false } = this.#call;
    // a restarted server has another port, and is asked first whether it knows the call
    const leastBytes = this.#responseBytes.get(port) ?? await probeGrpc(port, this.#call);
    this.#responseBytes.set(port, leastBytes);
    const body = this.#folder.unique("message");
    await writeFile(body, framed(message));
    const all = { "content-type": "application/grpc", te: "trailers", ...headers };
    const lines = Object.entries(all).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
    const flight = ["-t1", `-c${connections}`, `-m${streams}`, `-n${calls}`, "-w30", "-W30"];
    const words = [...flight, ...more, "-d", body, ...lines, `http://127.0.0.1:${port}${path}`];
    const { stdout } = await run("h2load", words, { maxBuffer: 1 << 24 });
    return parseH2loadOutput(stdout, mayFail ? 0 : leastBytes);
  }
}
