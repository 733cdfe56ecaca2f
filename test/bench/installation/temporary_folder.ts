import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

const folders = new Set<string>();
process.on("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is deleted when it is disposed of, or at the latest when the process ends. */
export class TemporaryFolder implements Disposable {
  readonly path: string;
  #names = 0;

  constructor() {
    this.path = mkdtempSync(join(tmpdir(), "edgehelm-bench-"));
    folders.add(this.path);
  }

  /** The path of a file that does not exist yet. */
  unique(name: string): string {
    return join(this.path, `${name}_${this.#names++}`);
  }

  /** Deletes all that is in it. */
  clear(): void {
    for (const name of readdirSync(this.path)) rmSync(join(this.path, name), { recursive: true, force: true });
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
    folders.delete(this.path);
  }
}
