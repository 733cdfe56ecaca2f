import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

import { type Installation, KEY } from "../../installation/installation.ts";
import { type Command, denoCommand } from "../../installation/start_command.ts";
import { TemporaryFolder } from "../../installation/temporary_folder.ts";
import { ownCpuSeconds } from "../../report/processor_time.ts";

/** A person's folders, with a profile for an installation, in which commands are run. */
export class CliHome implements Disposable {
  readonly #folder = new TemporaryFolder();
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  /** Logs in to an installation with its first access key. */
  static async of({ httpPort }: Installation, root: string): Promise<CliHome> {
    const home = new CliHome(root);
    const secret = join(home.#folder.path, "secret");
    writeFileSync(secret, KEY.secret, { mode: 0o600 });
    await home.run("login", "--url", `http://127.0.0.1:${httpPort}`, "--id", KEY.id, "--secret", `@${secret}`);
    return home;
  }

  /** Runs a command to its end; its processor time is that of all processes it starts. */
  async run(...words: readonly string[]): Promise<{ milliseconds: number; cpuMilliseconds: number }> {
    const [program, ...args]: Command = denoCommand(join(this.#root, "core/host/cli/main.ts"), ...words);
    const [started, cpuBefore] = [performance.now(), ownCpuSeconds()];
    const child = spawn(program, args, {
      cwd: this.#root,
      env: {
        ...process.env,
        XDG_CONFIG_HOME: join(this.#folder.path, "config"),
        XDG_CACHE_HOME: join(this.#folder.path, "cache"),
      },
      stdio: ["ignore", "ignore", "inherit"],
    });
    const [code] = await once(child, "exit");
    if (code !== 0) throw new Error(`${words.join(" ")} ended with code ${code}`);
    return { milliseconds: performance.now() - started, cpuMilliseconds: (ownCpuSeconds() - cpuBefore) * 1000 };
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}
