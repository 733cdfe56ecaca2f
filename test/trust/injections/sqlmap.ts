import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MarkedRequest } from "./marked_request.ts";

/** The findings of sqlmap in a number of requests. */
export interface SqlmapResult {
  /** The number of texts that it says are not injectable, or are. */
  readonly tested: number;
  /** The number of HTTP requests that it sent. */
  readonly requests: number;
  /** The texts that it says are injectable. */
  readonly findings: readonly string[];
  /** The texts that it first took for injectable, and then found not to be by its own check. */
  readonly rejected: number;
}

/** A request and the access token to send it with. */
export interface AuthorizedRequest extends MarkedRequest {
  readonly token: string | undefined;
}

/** B: by differences of responses, E: by errors, U: by union. Time would say little: long statements are stopped. */
const TECHNIQUES = "BEU";
/** Its note on a text whose responses differ by more than what was injected, such as by the id of a new row. */
const REJECTED = "false positive or unexploitable";
const SEPARATOR = "=".repeat(54);

/** True if sqlmap is installed. */
export function hasSqlmap(): boolean {
  return spawnSync("sqlmap", ["--version"]).status === 0;
}

/** Injects into all marked texts of requests to a server on this machine, with low priority. */
export async function runSqlmap(port: number, requests: readonly AuthorizedRequest[]): Promise<SqlmapResult> {
  const folder = await mkdtemp(join(tmpdir(), "edgehelm-sqlmap-"));
  try {
    const [log, traffic, results] = ["requests.log", "traffic.log", "results.csv"].map((name) => join(folder, name));
    await writeFile(log!, requests.map((request) => logged(port, request)).join("\n"));
    const args = [
      ...["-l", log!, "-t", traffic!, "--output-dir", folder, "--results-file", results!],
      ...["--batch", "--dbms=SQLite", `--technique=${TECHNIQUES}`, "--level=1", "--risk=1"],
      ...["--flush-session", "--disable-coloring", "--skip-waf", "--timeout=30", "--ignore-stdin"],
      // After a finding all others are tested as well.
      "--ans=skip further tests involving it=N,keep testing the others=Y",
    ];
    const output = await outputOf("nice", ["-n", "10", "sqlmap", ...args]);
    const sent = (await readFile(traffic!, "utf8").catch(() => "")).match(/^HTTP request \[#/gm) ?? [];
    const rows = (await readFile(results!, "utf8").catch(() => "")).split("\n").slice(1).filter((row) => row !== "");
    const findings = rows.filter((row) => !row.trimEnd().endsWith(REJECTED));
    const negative = output.match(/parameter '[^\n]*' does not seem to be injectable/g) ?? [];
    const rejected = rows.length - findings.length;
    return { tested: negative.length + rows.length, requests: sent.length, findings, rejected };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns a request as in the log of a proxy, which sqlmap reads. */
function logged(port: number, { operation: { path }, body, token }: AuthorizedRequest): string {
  return [
    SEPARATOR,
    `POST ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    "Content-Type: application/json",
    ...(token === undefined ? [] : [`X-Cloud-Access-Token: ${token}`]),
    "",
    body,
    SEPARATOR,
    "",
  ].join("\n");
}

function outputOf(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output += chunk);
    child.once("error", reject);
    child.once(
      "close",
      (code) => code === 0 ? resolve(output) : reject(new Error(`sqlmap ended with ${code}: ${output}`)),
    );
  });
}
