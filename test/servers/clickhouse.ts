import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reportMissing } from "../harness/needs.ts";

const PROGRAMS = ["/usr/sbin/clickhouse-server", "/usr/bin/clickhouse-server"];
const PASSWORD = "it's a \\secret";
/** Another process may take the free ports first. */
const MAX_ATTEMPTS = 5;
/** Clock ticks per second, the unit of processor times in /proc. */
const CLOCK_TICKS = 100;
const START_MILLISECONDS = 60_000;

/** Returns true if a ClickHouse server is installed, and prints a warning otherwise. */
export function clickHouseRuns(): boolean {
  const runs = PROGRAMS.some((path) => existsSync(path));
  if (!runs) reportMissing("clickhouse-server");
  return runs;
}

/** A ClickHouse server on free ports and a temporary directory. */
export class ClickHouseServer implements AsyncDisposable {
  readonly directory: string;
  readonly port: number;
  #process: ChildProcess;

  constructor(directory: string, port: number, process: ChildProcess) {
    this.directory = directory;
    this.port = port;
    this.#process = process;
  }

  static async start(): Promise<ClickHouseServer> {
    const directory = await mkdtemp(join(tmpdir(), "edgehelm-clickhouse-"));
    for (let attempt = 1;; attempt++) {
      const [port, nativePort] = [await freePort(), await freePort()];
      await configure(directory, port, nativePort);
      try {
        return new ClickHouseServer(directory, port, await run(directory, port));
      } catch (error) {
        if (attempt < MAX_ATTEMPTS) continue;
        await rm(directory, { recursive: true, force: true });
        throw error;
      }
    }
  }

  get address() {
    return { url: `http://127.0.0.1:${this.port}`, username: "default", password: PASSWORD, database: "default" };
  }

  /** The processor time that the server has used, in seconds. */
  get cpuSeconds(): number {
    const fields = readFileSync(`/proc/${this.#process.pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ");
    return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS;
  }

  /** Kills the server, as a power failure would. */
  async kill(): Promise<void> {
    const ended = new Promise<void>((resolve) => this.#process.once("exit", () => resolve()));
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#process.kill("SIGKILL");
    await ended;
  }

  /** Restarts the server on the same data. */
  async restart(): Promise<void> {
    await this.kill();
    this.#process = await run(this.directory, this.port);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await rm(this.directory, { recursive: true, force: true });
  }
}

async function run(directory: string, port: number): Promise<ChildProcess> {
  const program = PROGRAMS.find((path) => existsSync(path))!;
  const server = spawn(program, [`--config-file=${join(directory, "config.xml")}`], {
    cwd: directory,
    stdio: ["ignore", "ignore", "ignore"],
  });
  const deadline = Date.now() + START_MILLISECONDS;
  while (server.exitCode === null && Date.now() < deadline) {
    const body = await fetch(`http://127.0.0.1:${port}/ping`).then((response) => response.text(), () => "");
    if (body.startsWith("Ok")) return server;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  server.kill("SIGKILL");
  throw new Error(`clickhouse-server did not start on port ${port}`);
}

async function configure(directory: string, port: number, nativePort: number): Promise<void> {
  for (const folder of ["data", "tmp"]) await mkdir(join(directory, folder), { recursive: true });
  const password = PASSWORD.replaceAll("&", "&amp;");
  await writeFile(
    join(directory, "config.xml"),
    `<yandex>
  <logger><level>error</level><console>1</console></logger>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${port}</http_port>
  <tcp_port>${nativePort}</tcp_port>
  <path>${directory}/data/</path>
  <tmp_path>${directory}/tmp/</tmp_path>
  <users_config>users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  <timezone>UTC</timezone>
  <mark_cache_size>67108864</mark_cache_size>
</yandex>
`,
  );
  await writeFile(
    join(directory, "users.xml"),
    `<yandex>
  <profiles><default><max_memory_usage>4000000000</max_memory_usage></default></profiles>
  <users><default>
    <password>${password}</password><networks><ip>127.0.0.1</ip></networks>
    <profile>default</profile><quota>default</quota>
  </default></users>
  <quotas><default></default></quotas>
</yandex>
`,
  );
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => typeof address === "object" && address !== null ? resolve(address.port) : reject(address));
    });
  });
}
