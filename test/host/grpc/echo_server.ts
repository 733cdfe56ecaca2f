import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CHOSEN_KEY, installationDirectory, KEY, removeInstallation, Server } from "../../harness/server.ts";
import { makeCertificate } from "../../servers/certificate.ts";

export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** A server in its own process that serves EchoService. */
export interface EchoServer {
  readonly server: Server;
  /** `127.0.0.1:<port>` of the gRPC listener. */
  readonly address: string;
  /** The path of the certificate to trust; empty without TLS. */
  readonly caFile: string;
  readonly token: string;
  stop(): Promise<void>;
}

export async function startEchoServer({ tls = false, behindProxy = false, limits = {} } = {}): Promise<EchoServer> {
  const certificates = await mkdtemp(join(tmpdir(), "edgehelm-test-"));
  const certificate = tls ? makeCertificate(certificates) : undefined;
  const plugins = ["admin", "api_access_token", "user_access_key", `${ROOT}test/fixtures/echo`];
  const installation = await installationDirectory(plugins, {
    limits: { grpcMessageBytes: (16 << 20) + 1024, ...limits },
    http: { behindProxy, ...(certificate && { tls: certificate }) },
  });
  const environment = { ...installation, ...CHOSEN_KEY, EDGEHELM_LOG: "warn" };
  const server = await Server.start(environment);
  return {
    server,
    address: server.grpcUrl.replace(/^https?:\/\//, ""),
    caFile: certificate?.certFile ?? "",
    token: fetchToken(server.url, certificate?.certFile),
    async stop() {
      await server.stop();
      await removeInstallation(installation);
      await rm(certificates, { recursive: true, force: true });
    },
  };
}

function fetchToken(url: string, caFile: string | undefined): string {
  const body = JSON.stringify({ type: "admin", accessKeyId: KEY.id, accessKey: KEY.secret });
  const trust = caFile === undefined ? [] : ["--cacert", caFile];
  const text = execFileSync("curl", ["-sS", ...trust, "-d", body, `${url}/APIAccessTokenService/getAPIAccessToken`]);
  return JSON.parse(text.toString()).data.token;
}
