import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { TemporaryFolder } from "../installation/temporary_folder.ts";

/** Another commit of this repository, as a git worktree in a temporary folder with its packages installed. */
export class Checkout implements Disposable {
  /** The full name of the commit. */
  readonly commit: string;
  readonly root: string;
  readonly #repository: string;
  readonly #folder: TemporaryFolder;
  readonly #forget = () => this.#removeWorktree();

  /** @param repository the folder of the checkout that the bench is part of */
  constructor(repository: string, commit: string) {
    this.#repository = repository;
    this.commit = this.#git("rev-parse", "--verify", "--end-of-options", `${commit}^{commit}`);
    this.#folder = new TemporaryFolder();
    this.root = join(this.#folder.path, "checkout");
    process.on("exit", this.#forget);
    this.#git("worktree", "add", "--quiet", "--detach", this.root, this.commit);
    this.#install();
  }

  [Symbol.dispose](): void {
    this.#removeWorktree();
    process.off("exit", this.#forget);
    this.#folder[Symbol.dispose]();
  }

  /** From the cache if it has all packages. */
  #install(): void {
    const deno = "Deno" in globalThis ? process.execPath : "deno";
    const run = (words: readonly string[]) => execFileSync(deno, words, { cwd: this.root, stdio: "pipe" });
    try {
      run(["install", "--quiet", "--cached-only"]);
    } catch {
      run(["install", "--quiet"]);
    }
  }

  #removeWorktree(): void {
    if (existsSync(this.root)) this.#git("worktree", "remove", "--force", this.root);
  }

  #git(...words: readonly string[]): string {
    return execFileSync("git", words, { cwd: this.#repository, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
      .trim();
  }
}
