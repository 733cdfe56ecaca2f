import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { scaffold } from "../../../core/host/vendor/plugin_scaffold.ts";

/** A plugin as `plugin new` makes it, with other files in place of some, in a temporary folder. */
export interface VendorPlugin extends AsyncDisposable {
  readonly folder: string;
  readonly module: string;
}

/** @param files texts by path; undefined leaves a file out, and a function changes one */
export async function vendorPlugin(
  files: Readonly<Record<string, string | undefined | ((text: string) => string)>> = {},
): Promise<VendorPlugin> {
  const parent = await mkdtemp(join(tmpdir(), "edgehelm-test-"));
  const folder = join(parent, "thing");
  const made = scaffold("thing", "@acme/thing");
  const changed = Object.entries(files).map(([path, text]) => [
    path,
    typeof text === "function" ? text(made[path]!) : text,
  ]);
  const all: Record<string, string | undefined> = { ...made, ...Object.fromEntries(changed) };
  for (const [path, text] of Object.entries(all)) {
    if (text === undefined) continue;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return {
    folder,
    module: join(folder, "plugin.ts"),
    [Symbol.asyncDispose]: () => rm(parent, { recursive: true, force: true }),
  };
}
