import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { reportMissing } from "../harness/needs.ts";

const NSD = "/usr/sbin/nsd";

/** Returns true if nsd is installed, and prints a warning otherwise. */
export function nsdRuns(): boolean {
  const runs = existsSync(NSD);
  if (!runs) reportMissing("nsd");
  return runs;
}

/** A DNS server that is authoritative for some zones and refuses all others. */
export interface Nsd extends AsyncDisposable {
  /** The address of the server, `127.0.0.1:<port>`. */
  readonly address: string;
}

/** Another process may take the free port first. */
const MAX_ATTEMPTS = 5;

/**
 * Starts nsd on a free port.
 *
 * @param zones the records of each zone, without its SOA record
 */
export async function startNsd(zones: Readonly<Record<string, string>>): Promise<Nsd> {
  for (let attempt = 1;; attempt++) {
    try {
      return await startOn(await freePort(), zones);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

async function startOn(port: number, zones: Readonly<Record<string, string>>): Promise<Nsd> {
  const folder = await mkdtemp(join(tmpdir(), "edgehelm-nsd-"));
  for (const [name, records] of Object.entries(zones)) {
    const soa = `$ORIGIN ${name}.\n$TTL 60\n@ IN SOA ns1.edge.test. admin.edge.test. 1 60 60 60 60\n`;
    await writeFile(join(folder, name), `${soa}${records}\n`);
  }
  await writeFile(join(folder, "nsd.conf"), configuration(folder, port, Object.keys(zones)));

  const server = spawn(NSD, ["-d", "-c", join(folder, "nsd.conf")], { stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  const lines: string[] = [];
  const log = createInterface({ input: server.stderr });
  await new Promise<void>((resolve, reject) => {
    log.on("line", (line) => {
      lines.push(line);
      if (line.includes("nsd started")) resolve();
    });
    log.once("close", () => reject(new Error(`nsd did not start: ${lines.join("; ")}`)));
  });
  return {
    address: `127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function configuration(folder: string, port: number, zones: readonly string[]): string {
  return `server:
  ip-address: 127.0.0.1
  port: ${port}
  username: ""
  zonesdir: "${folder}"
  database: ""
  pidfile: "${folder}/nsd.pid"
  xfrdfile: "${folder}/xfrd.state"
  zonelistfile: "${folder}/zone.list"
  xfrdir: "${folder}"
  server-count: 1
remote-control:
  control-enable: no
${zones.map((name) => `zone:\n  name: ${name}\n  zonefile: ${name}\n`).join("")}`;
}

/** Returns a free UDP port. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = createSocket("udp4").once("error", reject);
    socket.bind(0, "127.0.0.1", () => {
      const { port } = socket.address();
      socket.close(() => resolve(port));
    });
  });
}
