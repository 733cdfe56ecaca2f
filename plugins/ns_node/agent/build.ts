import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { VERSION } from "./version.ts";

/** The programs that can run the bundle, in this order: Node, then Deno. */
const LAUNCHER = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
if command -v node >/dev/null 2>&1; then exec node "$here/edge-dns.mjs" "$@"; fi
if command -v deno >/dev/null 2>&1; then exec deno run -A --quiet "$here/edge-dns.mjs" "$@"; fi
echo "node or deno must be installed" >&2
exit 1
`;

/** Bundles the agent into one module. */
export async function bundleAgent(path: string, version = VERSION): Promise<void> {
  await build({
    entryPoints: [fileURLToPath(new URL("main.ts", import.meta.url))],
    outfile: path,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    legalComments: "none",
    banner: { js: "#!/usr/bin/env node" },
    define: { EDGE_DNS_VERSION: JSON.stringify(version) },
    logLevel: "warning",
  });
  await chmod(path, 0o755);
}

/** Makes the package that an installation brings to machines: a tar.gz with `edge-dns/bin/edge-dns`. */
export async function packAgent(folder: string, version = VERSION): Promise<string> {
  const draft = await mkdtemp(join(tmpdir(), "edge-dns-"));
  try {
    const bin = join(draft, "edge-dns", "bin");
    await mkdir(bin, { recursive: true });
    await bundleAgent(join(bin, "edge-dns.mjs"), version);
    await writeFile(join(bin, "edge-dns"), LAUNCHER, { mode: 0o755 });
    const archive = join(folder, `edge-dns-linux-amd64-v${version}.tar.gz`);
    execFileSync("tar", ["-C", draft, "-czf", archive, "edge-dns"]);
    return archive;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Writes the npm package of the agent into a folder. */
export async function writeNpmPackage(folder: string): Promise<void> {
  await mkdir(join(folder, "bin"), { recursive: true });
  await bundleAgent(join(folder, "bin", "edge-dns.mjs"));
  const description = {
    name: "edgehelm-dns-node",
    version: VERSION,
    description: "The program of DNS nodes of Edgehelm: it has Knot DNS serve the zones of its cluster.",
    license: "MIT",
    type: "module",
    engines: { node: ">=20.11" },
    bin: { "edge-dns": "bin/edge-dns.mjs" },
    files: ["bin"],
  };
  await writeFile(join(folder, "package.json"), `${JSON.stringify(description, null, 2)}\n`);
}

if (import.meta.main) {
  const [folder = "dist"] = process.argv.slice(2);
  await mkdir(folder, { recursive: true });
  const archive = await packAgent(folder);
  console.log(`${archive}: ${(await readFile(archive)).length} bytes`);
  await writeNpmPackage(join(folder, "edgehelm-dns-node"));
}
