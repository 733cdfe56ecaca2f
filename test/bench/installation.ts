import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Runtime, ServerProcess } from "./server_process.ts";

const MAIN = fileURLToPath(new URL("../../core/host/cli/main.ts", import.meta.url));
const KEY = { id: "benchmarkkey0001", secret: "benchmarksecret00000000000000001" };

/** Edgehelm as a user runs it: the default manifest and kernel, on a temporary directory. */
export interface Installation {
  readonly directory: string;
  readonly server: ServerProcess;
  /** Headers with an access token of an admin. */
  readonly headers: Readonly<Record<string, string>>;
  call<Answer>(path: string, request: unknown): Promise<Answer>;
  /** Stops the server and starts it again on the same data. */
  restart(): Promise<Installation>;
  remove(): Promise<void>;
}

export interface InstallationOptions {
  /** An existing directory to go on with. */
  readonly directory?: string;
  /** What to start instead of the command line, for a server with other limits. */
  readonly module?: string;
  readonly runtime?: Runtime;
  /** Another installation manifest than the default one. */
  readonly manifest?: unknown;
  readonly environment?: Readonly<Record<string, string>>;
}

export async function startInstallation(options: InstallationOptions = {}): Promise<Installation> {
  const { module = MAIN, runtime, manifest } = options;
  const path = options.directory ?? await mkdtemp(join(tmpdir(), "edgehelm-bench-"));
  const manifestPath = join(path, "manifest.json");
  if (manifest !== undefined) await writeFile(manifestPath, JSON.stringify(manifest));
  const environment = {
    EDGEHELM_DATA: path,
    EDGEHELM_HTTP_PORT: "0",
    EDGEHELM_GRPC_PORT: "0",
    EDGEHELM_ADMIN_ACCESS_KEY_ID: KEY.id,
    EDGEHELM_ADMIN_ACCESS_KEY: KEY.secret,
    ...(manifest !== undefined && { EDGEHELM_MANIFEST: manifestPath }),
    ...options.environment,
  };
  const server = await ServerProcess.start(module, ["start"], environment, 2, runtime);
  const headers: Record<string, string> = {};

  async function call<Answer>(callPath: string, request: unknown): Promise<Answer> {
    const response = await fetch(`http://127.0.0.1:${server.port}${callPath}`, {
      method: "POST",
      headers,
      body: JSON.stringify(request),
    });
    const { code, data, message } = await response.json();
    if (code !== 200) throw new Error(`${callPath}: ${message}`);
    return data;
  }

  const key = { type: "admin", accessKeyId: KEY.id, accessKey: KEY.secret };
  const { token } = await call<{ token: string }>("/APIAccessTokenService/getAPIAccessToken", key);
  headers["x-cloud-access-token"] = token;
  return {
    directory: path,
    server,
    headers,
    call,
    async restart() {
      await server.stop();
      return await startInstallation({ ...options, directory: path });
    },
    async remove() {
      await server.stop();
      await rm(path, { recursive: true, force: true });
    },
  };
}
