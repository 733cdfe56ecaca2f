import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { TemporaryFolder } from "../installation/temporary_folder.ts";
import type { HttpCall, LoadResult } from "./http_call.ts";
import { NoCallEndedError, parseWrkOutput } from "./wrk_output.ts";

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL("./wrk.lua", import.meta.url));

export interface WrkOptions {
  readonly port: number;
  /** Keep-alive connections with one call in flight on each. */
  readonly connections: number;
  readonly seconds: number;
}

/** A load in which no call ended is repeated for so many times as long. */
const LONGER = 20;
/** Errors show the beginning of a body. */
const SHOWN = 200;
let loads = 0;

/** HTTP/1.1 calls made by wrk in one thread; a load in which no call ended is repeated and lasts longer. */
export async function runWrk(options: WrkOptions, call: HttpCall): Promise<LoadResult> {
  try {
    return await runOnce(options, call);
  } catch (error) {
    if (!(error instanceof NoCallEndedError)) throw error;
    return await runOnce({ ...options, seconds: options.seconds * LONGER }, call);
  }
}

async function runOnce({ port, connections, seconds }: WrkOptions, call: HttpCall): Promise<LoadResult> {
  const { method = "POST", path, headers = {}, body = "", status = 200, expected, mayFail } = call;
  const all = { "content-type": "application/json", ...headers };
  const lines = Object.entries(all).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const load = ["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "30s", "-s", SCRIPT, ...lines];
  const prefix = `l${Date.now().toString(36)}${(loads++).toString(36)}x`;
  // bodies go through a file, since the words of a command line have a limit
  using folder = new TemporaryFolder();
  const bodyFile = folder.unique("body");
  await writeFile(bodyFile, body);
  const words = ["--", method, path, bodyFile, String(status), expected, prefix];
  const { stdout } = await run("wrk", [...load, `http://127.0.0.1:${port}/`, ...words]);
  return parseWrkOutput(stdout, `${path} ${body.slice(0, SHOWN)}`, mayFail);
}
