import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import process from "node:process";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A runtime that servers can run on. */
export interface Runtime {
  readonly name: "deno" | "node";
  /** The real binary, no wrapper: a signal has to reach the server itself. */
  readonly binary: string;
}

/** The runtime that tests run on. */
export const currentRuntime: Runtime = { name: "Deno" in globalThis ? "deno" : "node", binary: process.execPath };

export interface ServerOptions {
  /** Paths of the installation manifest and of the directory for data. */
  readonly manifest: string;
  readonly data: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly runtime?: Runtime;
  /** The folder of the project or of an installed package of it. */
  readonly project?: string;
}

/** How a process of ours is started, and what it finds in its environment. */
export function projectProcess(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  { runtime = currentRuntime, project = ROOT }: { readonly runtime?: Runtime; readonly project?: string } = {},
): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(EDGEHELM_|VITEST|NODE_OPTIONS)/.test(name));
  const main = `${project.replace(/\/?$/, "/")}core/host/main.${project === ROOT ? "ts" : "js"}`;
  return spawn(runtime.binary, [...(runtime.name === "deno" ? ["run", "-A"] : []), main, ...words], {
    env: { ...Object.fromEntries(inherited), ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** What a process wrote, and its code, once it ended. */
export async function ended(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  let output = "";
  for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (chunk) => output += chunk);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, output };
}

/** An installation in a process of its own, on a port of its own. */
export class Server implements AsyncDisposable {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #end: Promise<{ code: number | null; output: string }>;

  private constructor(url: string, child: ChildProcess, end: Promise<{ code: number | null; output: string }>) {
    this.url = url;
    this.#child = child;
    this.#end = end;
  }

  /** Starts it and waits until it listens. */
  static async start({ manifest, data, environment, ...where }: ServerOptions): Promise<Server> {
    const child = projectProcess(["start"], {
      EDGEHELM_MANIFEST: manifest,
      EDGEHELM_DATA: data,
      EDGEHELM_HTTP_PORT: "0",
      EDGEHELM_GRPC_PORT: "0",
      ...environment,
    }, where);
    const end = ended(child);
    let seen = "";
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout!.on("data", (chunk) => {
        seen += chunk;
        const found = /^http: listening on (\S+)$/m.exec(seen)?.[1];
        if (found !== undefined) resolve(found);
      });
      end.then(({ code, output }) => reject(new Error(`the server ended with code ${code}: ${output}`)));
    });
    return new Server(url, child, end);
  }

  /** Posts JSON and answers the envelope. */
  async post(path: string, body: unknown, token?: string): Promise<{ code: number; [field: string]: unknown }> {
    const headers: Record<string, string> = token === undefined ? {} : { "x-cloud-access-token": token };
    const response = await fetch(this.url + path, { method: "POST", body: JSON.stringify(body), headers });
    return await response.json();
  }

  /** Asks it to stop, and waits until it did. */
  async stop(): Promise<{ code: number | null; output: string }> {
    this.#child.kill("SIGTERM");
    return await this.#end;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
