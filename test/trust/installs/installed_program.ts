import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sshd } from "../../servers/sshd.ts";

/** A node on the machine. */
export interface InstalledNode {
  readonly role: "dns" | "node";
  readonly id: number;
  readonly program: "edge-dns" | "edge-node";
}

/** Prints the sums of the files of a release, without its configuration. */
const SUMS = "find . -type f ! -path './configs/*' -exec sha256sum {} + | sort -k 2";

/** A program on the machine, and what must stand there. */
export class InstalledProgram {
  readonly node: InstalledNode;
  readonly #sshd: Sshd;
  readonly #root: string;
  /** The sums of the files of each package that was uploaded, the last one at the end. */
  readonly #sums: string[] = [];
  version = "";

  constructor(sshd: Sshd, node: InstalledNode, root: string) {
    this.#sshd = sshd;
    this.node = node;
    this.#root = root;
  }

  /** Notes a package that was uploaded. */
  expect(content: Uint8Array): void {
    const folder = mkdtempSync(join(tmpdir(), "edgehelm-expected-"));
    try {
      execFileSync("tar", ["-xzf", "-", "-C", folder], { input: content });
      const cwd = join(folder, this.node.program);
      this.#sums.push(execFileSync("sh", ["-c", SUMS], { cwd }).toString());
      this.version = execFileSync("cat", ["VERSION"], { cwd }).toString();
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  /** Ends the program and removes it from the machine. */
  remove(): void {
    this.#run(`kill $(cat "${this.#root}/run.pid" 2>/dev/null) 2>/dev/null; rm -rf "${this.#root}"`);
  }

  /** Returns what is wrong with what stands on the machine while nothing is installed: a release is whole, or absent. */
  faults(): string[] {
    const current = this.#run(`readlink "${this.#root}/current" || true`).trim();
    const open = this.#run(`find "${this.#root}" -name 'api.yaml*' ! -perm 600 2>/dev/null || true`).trim();
    const faults = open === "" ? [] : [`others may read ${open}`];
    if (current === "") return faults;
    const sums = this.#run(`cd "${this.#root}/current" 2>/dev/null && ${SUMS}`);
    if (!this.#sums.includes(sums)) faults.push(`${current} is not whole: ${sums}`);
    const yaml = this.#run(`cat "${this.#root}/current/configs/api.yaml" 2>&1 || true`);
    if (!/^rpc\.endpoints: .*\nnodeId: .*\nsecret: ".{32,}"\n$/.test(yaml)) faults.push(`api.yaml is not whole`);
    return faults;
  }

  /** Returns what is wrong after an installation that succeeded. */
  faultsOfInstalled(): string[] {
    const faults = this.faults();
    const root = this.#root;
    const sums = this.#run(`cd "${root}/current" 2>/dev/null && ${SUMS}`);
    if (sums !== this.#sums.at(-1)) faults.push("the current release is not the newest package");
    const releases = this.#run(`ls -A "${root}/releases"`).trim().split("\n");
    if (releases.length !== 1) faults.push(`the releases ${releases.join(" ")} stand there`);
    const running = this.#run(`for one in /proc/[0-9]*; do
      case "$(readlink $one/cwd) $(tr '\\0' ' ' < $one/cmdline)" in "${root}"/*program.mjs*) echo "\${one#/proc/}" ;; esac
    done 2>/dev/null || true`).trim();
    const pid = this.#run(`cat "${root}/run.pid" 2>/dev/null || true`).trim();
    if (running === "" || running !== pid) faults.push(`the processes "${running}" run, and run.pid is "${pid}"`);
    return faults;
  }

  #run(command: string): string {
    return this.#sshd.run(command);
  }
}
