import type { Call } from "edgehelm";
import type { NodeGrantLogin } from "../node_grant/contract.ts";
import { InstallError, type InstallErrorCode } from "./errors.ts";
import { HostKeyChangedError, type HostKeys, type KeyAddress, type Transact } from "./host_keys.ts";
import type { InstallationHost, Machine, UploadSource } from "./machine.ts";
import { INSPECT } from "./scripts.ts";
import { commandLine } from "./shell.ts";

const COMMAND_MILLISECONDS = 60_000;
const MAX_ERROR_LENGTH = 500;

/** The means to log in to a machine. */
export interface SessionDeps {
  readonly host: InstallationHost;
  readonly keys: HostKeys;
  readonly transact: Transact;
  /** Ends the wait for scripts; the connection stays open, to clean up. */
  readonly signal: AbortSignal;
  readonly timeoutMilliseconds: number;
}

/** The facts that a machine reports about itself. */
export interface MachineInfo {
  /** Such as `linux`. */
  readonly os: string;
  /** Such as `amd64`. */
  readonly arch: string;
  readonly serviceManager: "systemd" | "none";
  readonly home: string;
}

/** A command and what it means if it fails. */
interface Script {
  readonly text: string;
  readonly args?: readonly string[];
  /** The standard input; it may contain secrets, which arguments may not. */
  readonly input?: string;
  readonly code: InstallErrorCode;
  readonly milliseconds?: number;
  /** True if the script is waited for, whatever happens. */
  readonly isFinal?: boolean;
}

const ARCHITECTURES: Readonly<Record<string, string>> = {
  x86_64: "amd64",
  aarch64: "arm64",
  armv7l: "arm",
  armv6l: "arm",
  i386: "386",
  i686: "386",
};

/** A login to the machine of a node, with the right to run scripts as root if the grant has it. */
export class MachineSession {
  readonly #machine: Machine;
  readonly #grant: NodeGrantLogin;
  readonly #signal: AbortSignal;
  #running: Promise<unknown> = Promise.resolve();
  #sudo: readonly [prefix: string, input: string] = ["", ""];
  info: MachineInfo = { os: "", arch: "", serviceManager: "none", home: "" };

  private constructor(machine: Machine, grant: NodeGrantLogin, signal: AbortSignal) {
    this.#machine = machine;
    this.#grant = grant;
    this.#signal = signal;
  }

  /** @throws InstallError SSH_LOGIN_FAILED; HostKeyChangedError */
  static async open(
    call: Call,
    address: KeyAddress,
    grant: NodeGrantLogin,
    deps: SessionDeps,
  ): Promise<MachineSession> {
    const { host, keys, transact, signal, timeoutMilliseconds } = deps;
    let refusal: unknown;
    let machine: Machine;
    const opening = new AbortController();
    const abort = () => opening.abort(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    try {
      machine = await host.connect(call, { ...address, ...grant }, {
        keyType: await keys.typeOf(call, address),
        signal: opening.signal,
        timeoutMilliseconds,
        async verify(key) {
          refusal = await keys.check(transact, address, key).catch((error: unknown) => error);
          return refusal === undefined;
        },
      });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (refusal instanceof HostKeyChangedError) throw refusal;
      throw new InstallError("SSH_LOGIN_FAILED", ((refusal ?? error) as Error).message);
    } finally {
      signal.removeEventListener("abort", abort);
    }
    try {
      const session = new MachineSession(machine, grant, signal);
      await session.#inspect();
      return session;
    } catch (error) {
      machine.close();
      throw error;
    }
  }

  async #inspect(): Promise<void> {
    const text = await this.asAccount({ text: INSPECT, code: "SSH_LOGIN_FAILED" });
    const [system = "", machine = "", userId = "", manager = "", home = ""] = text.split("\n");
    const isRoot = userId === "0";
    if (this.#grant.su && !isRoot) await this.#findSudo();
    this.info = {
      os: system.toLowerCase(),
      arch: ARCHITECTURES[machine] ?? machine,
      serviceManager: manager === "systemd" && (isRoot || this.#grant.su) ? "systemd" : "none",
      home,
    };
  }

  /** Finds out how sudo lets the account in: without a password, or with it on standard input. */
  async #findSudo(): Promise<void> {
    const { password, username } = this.#grant;
    const isFree = await this.#machine.run("sudo -n true", "", COMMAND_MILLISECONDS);
    if (isFree.status === 0) {
      this.#sudo = ["sudo -n -- ", ""];
      return;
    }
    if (password === "") {
      const advice = "allow it without a password (NOPASSWD), because the grant has a key and no password";
      throw new InstallError("SSH_LOGIN_FAILED", `sudo refused ${username}: ${advice}`);
    }
    const sudo = ["sudo -k -S -p '' -- ", `${password}\n`] as const;
    const { status } = await this.#machine.run(`${sudo[0]}true`, sudo[1], COMMAND_MILLISECONDS);
    if (status !== 0) throw new InstallError("SSH_LOGIN_FAILED", `sudo refused ${username}`);
    this.#sudo = sudo;
  }

  /** Runs a script with the rights of the account, and returns what it prints. */
  async asAccount(script: Script): Promise<string> {
    return await this.#run(["", ""], script);
  }

  /** Runs a script as root if the grant says so, otherwise with the rights of the account. */
  async asRoot(script: Script): Promise<string> {
    return await this.#run(this.#sudo, script);
  }

  async #run(
    [prefix, password]: readonly [string, string],
    { text, args = [], input = "", code, milliseconds = COMMAND_MILLISECONDS, isFinal = false }: Script,
  ): Promise<string> {
    const command = `${prefix}${commandLine(text, args)}`;
    const running = failing(code, this.#machine.run(command, password + input, milliseconds));
    const { status, stdout, stderr } = await (isFinal ? running : this.#unlessAborted(running));
    if (status === 0) return stdout.trim();
    throw new InstallError(code, reasonOf(stderr) || reasonOf(stdout) || `a command ended with ${status}`);
  }

  /** Sends a file; a source that throws ends it. */
  async upload(path: string, source: UploadSource, offset: number, code: InstallErrorCode): Promise<void> {
    await this.#unlessAborted(failing(code, this.#machine.upload(path, source, offset)));
  }

  /** Waits until nothing that was begun runs any more. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #unlessAborted<Result>(work: Promise<Result>): Promise<Result> {
    this.#running = work.catch(() => {});
    const aborted = Promise.withResolvers<never>();
    const abort = () => aborted.reject(this.#signal.reason);
    this.#signal.addEventListener("abort", abort, { once: true });
    if (this.#signal.aborted) abort();
    try {
      return await Promise.race([work, aborted.promise]);
    } finally {
      this.#signal.removeEventListener("abort", abort);
    }
  }

  close(): void {
    this.#machine.close();
  }
}

/** Gives the error of a step its code. */
async function failing<Result>(code: InstallErrorCode, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw new InstallError(code, (error as Error).message);
  }
}

/** Returns the last lines of what a command printed, in which its error stands, without control characters. */
function reasonOf(text: string): string {
  // deno-lint-ignore no-control-regex
  const lines = text.trim().split(/\r?\n/).slice(-3).map((line) => line.replace(/[\x00-\x1f\x7f]/g, " ").trim());
  return lines.join("; ").slice(0, MAX_ERROR_LENGTH);
}
