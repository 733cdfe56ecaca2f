import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The behaviour of a program. */
export interface ProgramOptions {
  readonly name: "edge-dns" | "edge-node";
  readonly version: string;
  /** The shell commands in place of asking for an access token. */
  readonly test?: string;
  /** The shell commands in place of running. */
  readonly run?: string;
  /** Bytes that cannot be compressed. Defaults to 0. */
  readonly padding?: number;
}

/** The node program of the tests: it logs in, reports its status, and keeps its stream open until it is stopped. */
const PROGRAM = `import { readFileSync } from "node:fs";
import { connect } from "node:http2";

const [kind, version, command] = process.argv.slice(2);
const yaml = readFileSync("configs/api.yaml", "utf8");
const valueOf = (name) => JSON.parse(new RegExp("^" + name + ": (.*)$", "m").exec(yaml)[1]);
const [grpc, http] = valueOf("rpc.endpoints");
const service = kind === "dns" ? "NSNodeService" : "NodeService";
const report = kind === "dns" ? "updateNSNodeStatus" : "updateNodeStatus";
const stream = kind === "dns" ? "nsNodeStream" : "nodeStream";

async function post(path, body, token) {
  const headers = token === undefined ? {} : { "x-cloud-access-token": token };
  const response = await fetch(http + path, { method: "POST", headers, body: JSON.stringify(body) });
  const { code, message, data } = await response.json();
  if (code !== 200) throw new Error(message);
  return data;
}

const credentials = { type: kind, accessKeyId: valueOf("nodeId"), accessKey: valueOf("secret") };
const token = await post("/APIAccessTokenService/getAPIAccessToken", credentials).then((data) => data.token, (error) => {
  console.error("rpc: " + (error.cause?.message ?? error.message));
  process.exit(1);
});
if (command === "test") process.exit(0);
const status = { isActive: true, buildVersion: version, os: "linux", arch: "amd64" };
await post("/" + service + "/" + report, { statusJSON: btoa(JSON.stringify(status)) }, token);
const session = connect(grpc);
session.on("error", () => process.exit(1));
const request = session.request({
  ":method": "POST",
  ":path": "/pb." + service + "/" + stream,
  "content-type": "application/grpc",
  te: "trailers",
  "x-cloud-access-token": token,
});
request.on("error", () => process.exit(1));
request.on("close", () => process.exit(1));
request.on("data", () => {});
`;

/** Makes the package of a program for linux and amd64, a tar.gz with the folder of the program. */
export async function nodePackage(
  { name, version, test = "", run = "", padding = 0 }: ProgramOptions,
): Promise<{ readonly filename: string; readonly content: Uint8Array }> {
  const folder = await mkdtemp(join(tmpdir(), "edgehelm-package-"));
  try {
    const node = execFileSync("sh", ["-c", "command -v node"]).toString().trim();
    const kind = name === "edge-dns" ? "dns" : "node";
    await mkdir(join(folder, name, "bin"), { recursive: true });
    const script = `#!/bin/sh
if [ "$1" = test ]; then ${test || ":"}; fi
if [ "$1" != test ]; then ${run || ":"}; fi
exec ${node} ./program.mjs ${kind} ${version} "$@"
`;
    await writeFile(join(folder, name, "bin", name), script);
    await chmod(join(folder, name, "bin", name), 0o755);
    await writeFile(join(folder, name, "program.mjs"), PROGRAM);
    await writeFile(join(folder, name, "VERSION"), version);
    if (padding > 0) await writeFile(join(folder, name, "padding"), randomBytes(padding));
    const filename = `${name}-linux-amd64-v${version}.tar.gz`;
    execFileSync("tar", ["-C", folder, "-czf", join(folder, filename), name]);
    return { filename, content: await readFile(join(folder, filename)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
