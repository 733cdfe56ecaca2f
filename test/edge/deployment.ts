import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "../../core/host/bundle/bundle_command.ts";
import {
  CHOSEN_KEY,
  type Envelope,
  installationDirectory,
  KEY,
  removeInstallation,
  runToEnd,
} from "../harness/server.ts";
import { Sqld } from "../servers/sqld.ts";
import { Workerd } from "../servers/workerd.ts";

/** An installation as an operator deploys it: a migrated database and a bundle. */
export interface Deployment extends AsyncDisposable {
  readonly sqld: Sqld;
  readonly manifest: string;
  /** The folder that `deno task bundle` wrote. */
  readonly folder: string;
  /** The environment variables of the runtime. */
  readonly variables: Record<string, string>;
  /** Runs a statement on the database directly. */
  sql(text: string): Promise<unknown[][]>;
}

const DEFAULT_MANIFEST = fileURLToPath(new URL("../../plugins/manifest.json", import.meta.url));
export const METRICS_TOKEN = "metricstoken0001";
export const INSTALLATION_KEY = "22".repeat(32);

/** @param plugins the names of the plugins; defaults to those of the default manifest */
export async function deploy(plugins?: readonly string[]): Promise<Deployment> {
  const directory = await mkdtemp(join(tmpdir(), "edgehelm-deployment-"));
  const sqld = await Sqld.start(join(directory, "db"));
  const variables = { EDGEHELM_DATABASE_URL: sqld.url, EDGEHELM_KEY: INSTALLATION_KEY };
  const installation = await installationDirectory(plugins ?? []);
  const manifest = plugins === undefined ? DEFAULT_MANIFEST : installation["EDGEHELM_MANIFEST"]!;
  const folder = join(directory, "edge");
  async function dispose(): Promise<void> {
    await sqld.kill();
    await removeInstallation(installation);
    await rm(directory, { recursive: true, force: true });
  }
  try {
    const { code, output } = await runToEnd(["migrate"], {
      ...installation,
      ...variables,
      ...CHOSEN_KEY,
      EDGEHELM_MANIFEST: manifest,
    });
    if (code !== 0) throw new Error(`migrate failed: ${output}`);
    await bundle([manifest, folder]);
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    sqld,
    manifest,
    folder,
    variables: { ...variables, EDGEHELM_METRICS_TOKEN: METRICS_TOKEN },
    async sql(text) {
      const requests = [{ type: "execute", stmt: { sql: text } }, { type: "close" }];
      const response = await fetch(`${sqld.url}/v2/pipeline`, { method: "POST", body: JSON.stringify({ requests }) });
      const { results: [{ response: { result } }] } = await response.json();
      return result.rows.map((row: { value: unknown }[]) => row.map(({ value }) => value));
    },
    [Symbol.asyncDispose]: dispose,
  };
}

/** A client that calls a deployment as its first admin. */
export class EdgeClient {
  readonly url: string;
  #token: string | undefined;

  constructor(url: string) {
    this.url = url;
  }

  /** Sends a request to the deployment, without the encodings that runtimes and libraries would add. */
  readonly fetch = async (request: Request): Promise<Response> => {
    const headers = new Headers(request.headers);
    headers.set("accept-encoding", "identity");
    const { method } = request;
    return await this.#send(new URL(request.url).pathname, { method, headers, body: await request.blob() });
  };

  async token(): Promise<string> {
    const request = { type: "admin", accessKeyId: KEY.id, accessKey: KEY.secret };
    this.#token ??= (await this.send("/APIAccessTokenService/getAPIAccessToken", request)).data.token as string;
    return this.#token;
  }

  async post(path: string, request: unknown = {}): Promise<Envelope> {
    return await this.send(path, request, { "x-cloud-access-token": await this.token() });
  }

  async send(path: string, request: unknown, headers: Record<string, string> = {}): Promise<Envelope> {
    return await (await this.#send(path, { method: "POST", body: JSON.stringify(request), headers })).json();
  }

  /** Retries once, since an idle connection may be closed while the request is sent. */
  async #send(path: string, init: RequestInit): Promise<Response> {
    return await fetch(this.url + path, init).catch(() => fetch(this.url + path, init));
  }
}

/** The time limit for migrating and bundling every plugin and starting the runtime, on a busy machine. */
export const DEPLOY_TIMEOUT_MILLISECONDS = 240_000;

/** Starts a deployment in workerd and returns a client for it. */
export async function startDeployment(deployment: Deployment, variables = deployment.variables) {
  const workerd = await Workerd.start(join(deployment.folder, "worker.js"), variables);
  return { workerd, client: new EdgeClient(workerd.url) };
}
