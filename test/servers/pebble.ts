import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { get } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { reportMissing } from "../harness/needs.ts";
import { makeCertificate } from "./certificate.ts";

const PEBBLE = "/usr/bin/pebble";

/** Returns true if Pebble is installed, and prints a warning otherwise. */
export function pebbleRuns(): boolean {
  const runs = existsSync(PEBBLE);
  if (!runs) reportMissing("pebble");
  return runs;
}

/** The options of {@link startPebble}. */
export interface PebbleOptions {
  /** The keys of external account bindings by key id, which accounts then need. */
  readonly bindings?: Readonly<Record<string, string>>;
  /** The percentage of good nonces that are refused. */
  readonly rejectedNonces?: number;
  /** The port on which Pebble asks sites. */
  readonly httpPort?: number;
  /** The address of the DNS server that Pebble asks. */
  readonly dnsServer: string;
}

/** A provider of certificates for tests: https://github.com/letsencrypt/pebble. */
export interface Pebble extends AsyncDisposable {
  readonly directoryUrl: string;
  /** The certificate that its directory presents, which signs itself. */
  readonly ca: string;
  /** The lines that it printed. */
  readonly lines: readonly string[];
  /** Called with each line. */
  readonly listeners: Set<(line: string) => void>;
  /** @param serial the number of a certificate in hexadecimal */
  isRevoked(serial: string): Promise<boolean>;
  /** Stops answering, as a provider that is down. */
  stop(): Promise<void>;
  /** Answers again at the same address, without what it knew. */
  start(): Promise<void>;
}

/** Another process may take a free port first. */
const MAX_ATTEMPTS = 5;

/** Starts Pebble on free ports. */
export async function startPebble(options: PebbleOptions): Promise<Pebble> {
  for (let attempt = 1;; attempt++) {
    try {
      return await startOn(await freeTcpPort(), await freeTcpPort(), options);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

async function startOn(port: number, managementPort: number, options: PebbleOptions): Promise<Pebble> {
  const folder = await mkdtemp(join(tmpdir(), "edgehelm-pebble-"));
  const { certFile, keyFile } = makeCertificate(folder);
  const { bindings } = options;
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate: certFile,
    privateKey: keyFile,
    httpPort: options.httpPort ?? 1,
    tlsPort: 1,
    certificateValidityPeriod: 90 * 86_400 - 1,
    profiles: { default: { description: "90 days", validityPeriod: 90 * 86_400 - 1 } },
    externalAccountBindingRequired: bindings !== undefined,
    externalAccountMACKeys: bindings ?? {},
  };
  const config = join(folder, "pebble.json");
  await writeFile(config, JSON.stringify({ pebble }));
  const lines: string[] = [];
  const listeners = new Set<(line: string) => void>();
  const print = (line: string) => {
    lines.push(line);
    for (const listener of listeners) listener(line);
  };
  let running: ChildProcess | undefined;
  const start = async () => void (running = await run(config, options, print));
  const stop = async () => {
    const server = running;
    running = undefined;
    if (server === undefined) return;
    const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
    server.kill();
    await ended;
  };
  try {
    await start();
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    directoryUrl: `https://127.0.0.1:${port}/dir`,
    ca: readFileSync(certFile, "utf8"),
    lines,
    listeners,
    async isRevoked(serial) {
      const path = `https://127.0.0.1:${managementPort}/cert-status-by-serial/${serial.toLowerCase()}`;
      return JSON.parse(await textOf(path, readFileSync(certFile, "utf8"))).Status === "Revoked";
    },
    start,
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function run(
  config: string,
  options: PebbleOptions,
  print: (line: string) => void,
): Promise<ChildProcess> {
  const printed: string[] = [];
  const server = spawn(PEBBLE, ["-config", config, "-dnsserver", options.dnsServer], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      PEBBLE_VA_NOSLEEP: "1",
      PEBBLE_AUTHZREUSE: "0",
      PEBBLE_WFE_NONCEREJECT: String(options.rejectedNonces ?? 0),
    },
  });
  await new Promise<void>((resolve, reject) => {
    for (const stream of [server.stdout!, server.stderr!]) {
      createInterface({ input: stream }).on("line", (line) => {
        printed.push(line);
        print(line);
        if (line.includes("ACME directory available")) resolve();
      });
    }
    server.once("error", reject);
    server.once("exit", () => reject(new Error(`Pebble did not start: ${printed.slice(-5).join("; ")}`)));
  });
  return server;
}

function textOf(url: string, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { ca }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve(text);
    }).on("error", reject);
  });
}

/** Returns a free TCP port. */
export function freeTcpPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
