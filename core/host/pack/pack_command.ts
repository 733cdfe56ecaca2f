import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { StartupError } from "../../base/startup_error.ts";
import { bundleProgram } from "./bundle_program.ts";
import { compile } from "./compile.ts";
import { pluginPackage, projectPackage } from "./package_content.ts";

/**
 * Packs a plugin's folder, or the project itself, as an npm package of JavaScript, source maps and type declarations.
 *
 * @param args the plugin's folder, unless the project is to be packed; then the output folder, which must not exist
 * @returns lines for the operator
 */
export async function pack(args: readonly string[]): Promise<string[]> {
  const [first, second] = args;
  if (first === undefined) throw new StartupError("usage: pack [plugin folder] <new folder>");
  const out = resolve(second ?? first);
  const isProject = second === undefined;
  const content = isProject ? await projectPackage() : await pluginPackage(resolve(first), out);
  await mkdir(out, { recursive: false });
  await compile(content, out);
  if (isProject) await bundleProgram(out);
  await writeFile(join(out, "package.json"), `${JSON.stringify(content.manifest, undefined, 2)}\n`);
  const { name, version } = content.manifest;
  return [`packed ${name} ${version} into ${out}; publish it with: npm publish ${out}`];
}
