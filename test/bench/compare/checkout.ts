import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { TemporaryFolder } from "../installation/temporary_folder.ts";

/** A commit of this repository, as a git worktree in a temporary folder with its packages installed. */
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
    this.commit = git(repository, ["rev-parse", "--verify", "--end-of-options", `${commit}^{commit}`]);
    this.#folder = new TemporaryFolder();
    this.root = join(this.#folder.path, "checkout");
    // before the folder is deleted
    process.prependListener("exit", this.#forget);
    git(repository, ["worktree", "add", "--quiet", "--detach", this.root, this.commit]);
    install(this.root);
  }

  /** The files of the checkout that the bench is part of as they are now, so that both sides are set up alike. */
  static ofFilesIn(repository: string): Checkout {
    using folder = new TemporaryFolder();
    const environment = { GIT_INDEX_FILE: folder.unique("index") };
    git(repository, ["read-tree", "HEAD"], environment);
    git(repository, ["add", "--all"], environment);
    const tree = git(repository, ["write-tree"], environment);
    const author = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"];
    const commit = git(repository, [...author, "commit-tree", tree, "-p", "HEAD", "-m", "bench: files as they are"]);
    return new Checkout(repository, commit);
  }

  [Symbol.dispose](): void {
    this.#removeWorktree();
    process.off("exit", this.#forget);
    this.#folder[Symbol.dispose]();
  }

  #removeWorktree(): void {
    if (existsSync(this.root)) git(this.#repository, ["worktree", "remove", "--force", this.root]);
  }
}

/** Takes packages from the cache if it has all of them. */
function install(root: string): void {
  const deno = "Deno" in globalThis ? process.execPath : "deno";
  const run = (words: readonly string[]) => execFileSync(deno, words, { cwd: root, stdio: "pipe" });
  try {
    run(["install", "--quiet", "--cached-only"]);
  } catch {
    run(["install", "--quiet"]);
  }
}

function git(repository: string, words: readonly string[], environment: Readonly<Record<string, string>> = {}): string {
  const output = execFileSync("git", words, {
    cwd: repository,
    env: { ...process.env, ...environment },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  return output.trim();
}
