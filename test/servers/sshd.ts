import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { reportMissing } from "../harness/needs.ts";

const SSHD = "/usr/sbin/sshd";
/** The ids of the account that may do nothing as root but by sudo. */
const PLAIN_ID = 64_321;
/** Makes the programs of a server see a service manager. */
const SYSTEMD = `mkdir -p /run/systemd/system
    mount -t tmpfs none /usr/local/bin && mount -t tmpfs none /etc/systemd/system || exit 1
    printf '#!/bin/sh\\necho "$*" >> /run/systemctl.log\\n' > /usr/local/bin/systemctl
    chmod 755 /usr/local/bin/systemctl`;
/** Another process may take the free port first. */
const MAX_ATTEMPTS = 5;

export const PASSWORD = "correct horse";
export const PASSPHRASE = "battery staple";

/** Returns true if SSH servers with accounts of their own can run here, and prints a warning otherwise. */
export function sshdRuns(): boolean {
  if (!existsSync(SSHD) || !existsSync("/usr/bin/sudo")) {
    reportMissing("openssh-server sudo");
    return false;
  }
  const isAllowed = spawnSync("unshare", ["--mount", "--pid", "--fork", "true"]).status === 0;
  if (!isAllowed) reportMissing("the right to run a server in a mount namespace of its own (unshare --mount)");
  return isAllowed;
}

/** The options of {@link startSshd}. */
export interface SshdOptions {
  /** False for a server without the subsystem of SFTP. Defaults to true. */
  readonly hasSftp?: boolean;
  /**
   * True for a machine that seems to run systemd: its systemctl writes to /run/systemctl.log what it is called with, and
   * runs nothing.
   */
  readonly hasSystemd?: boolean;
  /** The environment of the commands that it runs, and of what they start. */
  readonly environment?: Readonly<Record<string, string>>;
  /** True for a server that notes when the commands begin and end that it runs for root. */
  readonly notesCommands?: boolean;
}

/**
 * An SSH server that sees accounts of its own in /etc: `root`, and `deploy`, which may use sudo with its password. Both
 * have {@link PASSWORD} and accept the private key.
 */
export interface Sshd extends AsyncDisposable {
  readonly port: number;
  /** A private key in PEM that both accounts accept; its passphrase is {@link PASSPHRASE}. */
  readonly privateKey: string;
  /** The fingerprint of the host key. */
  readonly fingerprint: string;
  /** A folder that both accounts may write to. */
  readonly folder: string;
  /** The home directory of root. */
  readonly home: string;
  /** The folder of a file system with 256 KiB, which only the server sees. */
  readonly smallFolder: string;
  /** The file with the notes on commands: `begin` or `end`, process id, program and release; `-` for none. */
  readonly commandsFile: string;
  /** Runs a command as root where the server's processes run, and returns what it prints. */
  run(command: string): string;
  /** Ends the server, and starts it with another host key. */
  changeHostKey(): Promise<Sshd>;
}

/** Starts sshd on a free port of 127.0.0.1. Everything that its accounts start ends with it. */
export async function startSshd(options: SshdOptions = {}): Promise<Sshd> {
  const folder = await mkdtemp(join(tmpdir(), "edgehelm-sshd-"));
  await chmod(folder, 0o755);
  await writeAccounts(folder, options);
  return await started(folder, options);
}

async function started(folder: string, options: SshdOptions, wantedPort?: number): Promise<Sshd> {
  keygen(join(folder, "host_key"), "");
  for (let attempt = 1;; attempt++) {
    try {
      return await startOn(wantedPort ?? await freePort(), folder, options);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

async function startOn(port: number, folder: string, options: SshdOptions): Promise<Sshd> {
  await writeFile(join(folder, "config"), configuration(folder, port, options));
  const script = `
    mount --make-rprivate / && mount -t tmpfs none /run && mkdir -p /run/sshd
    for name in passwd shadow group sudoers; do mount --bind "${folder}/$name" "/etc/$name" || exit 1; done
    ${options.hasSystemd ? SYSTEMD : ""}
    mount -t tmpfs -o size=256k,mode=1777 none "${folder}/small"
    ${SSHD} -D -e -f "${folder}/config" & echo "pid $$" >&2; wait $!; sleep 2147483647`;
  const flags = ["--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];
  const server = spawn("unshare", [...flags, "sh", "-c", script], { stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  const lines: string[] = [];
  await new Promise<void>((resolve, reject) => {
    const log = createInterface({ input: server.stderr });
    log.on("line", (line) => {
      lines.push(line);
      if (line.includes("Server listening")) resolve();
      if (/Bind to port .* failed|Cannot bind/.test(line)) reject(new Error(line));
    });
    log.once("close", () => reject(new Error(`sshd did not start: ${lines.join("; ")}`)));
  });
  const inside = execFileSync("pgrep", ["-P", String(server.pid)]).toString().trim();
  async function stop(): Promise<void> {
    server.kill("SIGKILL");
    await ended;
  }
  const publicKey = (await readFile(join(folder, "host_key.pub"), "utf8")).split(" ")[1]!;
  return {
    port,
    privateKey: await readFile(join(folder, "user_key"), "utf8"),
    fingerprint: `SHA256:${createHash("sha256").update(publicKey, "base64").digest("base64").replace("=", "")}`,
    folder: join(folder, "open"),
    home: join(folder, "root"),
    smallFolder: join(folder, "small"),
    commandsFile: join(folder, "commands"),
    run: (command) => execFileSync("nsenter", ["-t", inside, "-m", "-p", "sh", "-c", command]).toString(),
    async changeHostKey() {
      await stop();
      return await started(folder, options, port);
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Writes the files that stand in for those of /etc, and the home directories. */
async function writeAccounts(folder: string, { notesCommands = false }: SshdOptions): Promise<void> {
  const hash = execFileSync("openssl", ["passwd", "-6", PASSWORD]).toString().trim();
  const homeOf = (name: string) => join(folder, name);
  const accounts = [["root", 0], ["deploy", PLAIN_ID]] as const;
  const others = "sshd:x:63000:65534::/run/sshd:/usr/sbin/nologin\nguest:x:65534:65534::/:/usr/sbin/nologin\n";
  const shell = join(folder, "shell");
  await writeFile(shell, notingShell(join(folder, "commands")), { mode: 0o755 });
  const shellOf = (name: string) => notesCommands && name === "root" ? shell : "/bin/sh";
  const passwd = accounts.map(([name, id]) => `${name}:x:${id}:${id}::${homeOf(name)}:${shellOf(name)}\n`).join("");
  await writeFile(join(folder, "passwd"), passwd + others);
  await writeFile(join(folder, "group"), `root:x:0:\ndeploy:x:${PLAIN_ID}:\nnogroup:x:65534:\n`);
  const shadow = accounts.map(([name]) => `${name}:${hash}:20000:0:99999:7:::\n`).join("");
  await writeFile(join(folder, "shadow"), `${shadow}sshd:!:20000::::::\n`, { mode: 0o600 });
  await writeFile(join(folder, "sudoers"), "Defaults !fqdn\nroot ALL=(ALL) ALL\ndeploy ALL=(ALL) ALL\n", {
    mode: 0o440,
  });
  keygen(join(folder, "user_key"), PASSPHRASE);
  const authorized = await readFile(join(folder, "user_key.pub"));
  for (const [name, id] of accounts) {
    await mkdir(homeOf(name), { mode: 0o700 });
    await writeFile(join(homeOf(name), "authorized_keys"), authorized, { mode: 0o600 });
    await chown(join(homeOf(name), "authorized_keys"), id, id);
    await chown(homeOf(name), id, id);
  }
  await mkdir(join(folder, "small"));
  await mkdir(join(folder, "open"));
  await chmod(join(folder, "open"), 0o777);
}

function notingShell(file: string): string {
  return `#!/bin/sh
first() { printf '%s' "$1" | grep -oE "$2" | head -n 1 || true; }
program=$(first "$2" 'edge-(dns|node)')
release=$(first "$2" '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}')
echo "begin $$ \${program:--} \${release:--}" >> "${file}"
/bin/sh "$@"
status=$?
echo "end $$ \${program:--} \${release:--}" >> "${file}"
exit $status
`;
}

function keygen(path: string, passphrase: string): void {
  for (const name of [path, `${path}.pub`]) spawnSync("rm", ["-f", name]);
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", passphrase, "-C", "test", "-f", path]);
}

function configuration(folder: string, port: number, { hasSftp = true, environment = {} }: SshdOptions): string {
  const settings = Object.entries(environment).map(([name, value]) => `${name}="${value}"`);
  return `ListenAddress 127.0.0.1
Port ${port}
HostKey ${folder}/host_key
PidFile none
UsePAM no
PasswordAuthentication yes
PermitRootLogin yes
AuthorizedKeysFile ${folder}/%u/authorized_keys
StrictModes no
UseDNS no
MaxStartups 100
${hasSftp ? "Subsystem sftp internal-sftp" : ""}
${settings.length > 0 ? `SetEnv ${settings.join(" ")}` : ""}
`;
}

/** Returns a free TCP port. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
