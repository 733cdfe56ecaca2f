import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { errorText } from "../../base/log.ts";
import { StartupError } from "../../base/startup_error.ts";
import { hasCode } from "../settings/files.ts";
import { scaffold } from "./plugin_scaffold.ts";

const SCOPED = /^@[a-z0-9][a-z0-9._-]*\/[^/]+$/;

/**
 * Creates a plugin.
 *
 * @param target the new folder, or the scoped name of the package, such as `@acme/thing` for the folder `thing`
 * @returns lines for the operator
 */
export async function newPlugin(target: string): Promise<string[]> {
  const folder = resolve(SCOPED.test(target) ? basename(target) : target);
  const name = basename(folder).replaceAll("-", "_");
  if (!/^[a-z][a-z0-9_]*$/.test(name)) {
    throw new StartupError(`the name of a plugin folder must be snake_case, got "${name}"`);
  }
  const packageName = SCOPED.test(target) ? target : `edgehelm-plugin-${name.replaceAll("_", "-")}`;
  await makeFolder(folder);
  for (const [file, text] of Object.entries(scaffold(name, packageName))) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  return [
    `created plugin ${name} in ${folder}`,
    `to enable it, add { "use": "${folder}" } to "plugins" in the installation manifest and restart the server`,
    `service: proto/service_${name}.proto  handlers: handlers.ts  test: test/${name}.test.ts  next: README.md`,
  ];
}

/** Makes a folder that does not exist yet, with the folders above it. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(dirname(folder), { recursive: true });
    await mkdir(folder);
  } catch (cause) {
    const text = hasCode(cause, "EEXIST") ? "it exists already" : errorText(cause);
    throw new StartupError(`the plugin folder ${folder} could not be made: ${text}`, { cause });
  }
}
