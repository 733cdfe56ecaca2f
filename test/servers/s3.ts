import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { reportMissing } from "../harness/needs.ts";
import { npmProgramRuns } from "./npm_program.ts";
import { freePort } from "./sqld.ts";

const S3RVER = "s3rver@3.7.1";
const S3RVER_FOLDER = join(tmpdir(), `edgehelm-${S3RVER}`);
const S3RVER_FILE = "node_modules/s3rver/bin/s3rver.js";
/** Another process may take the free port first. */
const MAX_ATTEMPTS = 5;

/** The kinds of stores: an emulation from npm, and a gateway for production, if it is installed. */
export type S3Kind = "s3rver" | "versitygw";

/** Returns the kinds that run on this machine, and reports those that are missing. */
export function s3Kinds(): S3Kind[] {
  const hasGateway = spawnSync("versitygw", ["--version"]).status === 0;
  if (!hasGateway) reportMissing("versitygw (go install github.com/versity/versitygw/cmd/versitygw@v1.8.0)");
  const hasS3rver = npmProgramRuns({ name: S3RVER, folder: S3RVER_FOLDER, file: S3RVER_FILE });
  return [...hasS3rver ? ["s3rver" as const] : [], ...hasGateway ? ["versitygw" as const] : []];
}

/** An S3-compatible store in its own process, which checks signatures, with one empty bucket. */
export class S3Server implements AsyncDisposable {
  readonly region = "us-east-1";
  readonly accessKeyId = "S3RVER";
  readonly secretAccessKey = "S3RVER";
  readonly bucket = "backups";
  readonly endpoint: string;
  readonly #child: ChildProcess;

  private constructor(endpoint: string, child: ChildProcess) {
    this.endpoint = endpoint;
    this.#child = child;
  }

  /** @param directory an existing folder for its data */
  static async start(kind: S3Kind, directory: string): Promise<S3Server> {
    for (let attempt = 1;; attempt++) {
      try {
        return kind === "s3rver" ? await S3Server.#s3rver(directory) : await S3Server.#versitygw(directory);
      } catch (error) {
        if (attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  static async #s3rver(directory: string): Promise<S3Server> {
    const program = join(S3RVER_FOLDER, S3RVER_FILE);
    const flags = ["--directory", directory, "--address", "127.0.0.1", "--port", "0", "--configure-bucket", "backups"];
    const child = spawn("node", [program, ...flags], { stdio: ["ignore", "pipe", "pipe"] });
    const [, address] = await printed(child, /listening on (\S+)/);
    return new S3Server(`http://${address}`, child);
  }

  static async #versitygw(directory: string): Promise<S3Server> {
    await mkdir(join(directory, "backups"), { recursive: true });
    const port = await freePort();
    const flags = ["--access", "S3RVER", "--secret", "S3RVER", "--port", `127.0.0.1:${port}`, "--health", "/health"];
    const child = spawn("versitygw", [...flags, "posix", directory], { stdio: ["ignore", "pipe", "pipe"] });
    await printed(child, /listening on/);
    const server = new S3Server(`http://127.0.0.1:${port}`, child);
    await server.#responds();
    return server;
  }

  /** Waits until it accepts connections: it prints its address before. */
  async #responds(): Promise<void> {
    for (;;) {
      if (this.#child.exitCode !== null) throw new Error(`versitygw ended with code ${this.#child.exitCode}`);
      const response = await fetch(`${this.endpoint}/health`).catch(() => undefined);
      await response?.body?.cancel();
      if (response !== undefined) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Ends the process. Requests fail from then on. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    process.kill(this.#child.pid!, "SIGKILL");
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

/** Waits until a process prints what matches, and keeps reading its output. */
function printed(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let text = "";
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on("data", (chunk) => {
        text += chunk;
        const found = pattern.exec(text);
        if (found !== null) resolve(found);
      });
    }
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`ended with code ${code}: ${text}`)));
  });
}
