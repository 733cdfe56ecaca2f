import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** An error that Knot reports, or that it cannot be reached. */
export class KnotError extends Error {
  override readonly name = "KnotError";
}

/** Tells where Knot is. */
export interface KnotcOptions {
  readonly program: string;
  readonly socket: string;
}

const MAX_OUTPUT = 1024 * 1024 * 1024;
/** knotc keeps a history of its commands in the home directory: secrets are among them. */
const ENVIRONMENT = {
  PATH: "/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/sbin:/usr/local/bin",
  HOME: "/dev/null",
};

type Outcome = (line: string | undefined) => void;

/** Runs commands of knotc. Those that print one line share a process, because starting one takes longer than they do. */
export class Knotc {
  readonly #options: KnotcOptions;
  #child: ChildProcess | undefined;
  #waiting: Outcome[] = [];

  constructor(options: KnotcOptions) {
    this.#options = options;
  }

  /** Runs one command in a process of its own, and returns what it prints. */
  run(...args: readonly string[]): Promise<string> {
    const { program, socket } = this.#options;
    return new Promise((resolve, reject) => {
      const options = { env: ENVIRONMENT, maxBuffer: MAX_OUTPUT };
      execFile(program, ["-s", socket, ...args], options, (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else {
          reject(new KnotError(`${args.join(" ")}: ${stderr.trim() || stdout.trim() || error.message}`));
        }
      });
    });
  }

  /**
   * Runs commands that print one line each, in order.
   *
   * @returns the error of each, empty if it succeeded
   */
  async send(commands: readonly string[]): Promise<string[]> {
    const child = (this.#child ??= this.#start());
    const outcomes = commands.map(() => new Promise<string | undefined>((resolve) => this.#waiting.push(resolve)));
    child.stdin!.write(commands.map((command) => `${command}\n`).join(""));
    const lines = await Promise.all(outcomes);
    const isLost = lines.includes(undefined);
    const unreachable = lines.find((line) => line?.startsWith("error: failed to connect"));
    if (isLost || unreachable !== undefined) {
      throw new KnotError(unreachable ?? "knotc ended");
    }
    return lines.map((line) => (line === "OK" ? "" : line!));
  }

  close(): void {
    this.#child?.stdin?.end();
  }

  #start(): ChildProcess {
    const { program, socket } = this.#options;
    // knotc does not flush what it prints into a pipe
    const child = spawn("stdbuf", ["-oL", program, "-s", socket], {
      env: ENVIRONMENT,
      stdio: ["pipe", "pipe", "pipe"],
    });
    const end = () => {
      if (this.#child === child) this.#child = undefined;
      for (const resolve of this.#waiting.splice(0)) resolve(undefined);
    };
    child.once("error", end).once("close", end);
    child.stdin.on("error", end);
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on("line", (line) => {
        if (line !== "") this.#waiting.shift()?.(line);
      });
    }
    return child;
  }
}

/** Returns a word for knotc, whatever it contains. */
export function word(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
