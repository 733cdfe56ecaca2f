import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CHOSEN_KEY,
  type CommandResult,
  installationDirectory,
  KEY,
  removeInstallation,
  runToEnd,
  Server,
} from "../../harness/server.ts";

const PLUGINS = ["admin", "api_access_token", "user_access_key", "openapi"];

/** A server, and a person's folders for the commands that call it. */
export interface CliRig extends AsyncDisposable {
  readonly server: Server;
  /** The folder of the person. */
  readonly home: string;
  /** Runs a command as the person. */
  run(...args: string[]): Promise<CommandResult>;
  /** Creates the profile "default" with the key of the first admin. */
  login(): Promise<void>;
  /** Writes a file of the person and returns its path. */
  file(name: string, content: string): Promise<string>;
}

export async function cliRig(plugins: readonly string[]): Promise<CliRig> {
  const installation = await installationDirectory([...new Set([...PLUGINS, ...plugins])]);
  const server = await Server.start({ ...installation, ...CHOSEN_KEY });
  const home = await mkdtemp(join(tmpdir(), "edgehelm-home-"));
  const environment = {
    ...installation,
    XDG_CONFIG_HOME: join(home, "config"),
    XDG_CACHE_HOME: join(home, "cache"),
  };
  const rig: CliRig = {
    server,
    home,
    run: (...args) => runToEnd(args, environment),
    async login() {
      const secret = await rig.file("secret", `${KEY.secret}\n`);
      const { code, output } = await rig.run("login", "--url", server.url, "--id", KEY.id, "--secret", `@${secret}`);
      if (code !== 0) throw new Error(output);
    },
    async file(name, content) {
      const path = join(home, name);
      await writeFile(path, content);
      return path;
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
      await removeInstallation(installation);
      await rm(home, { recursive: true, force: true });
    },
  };
  return rig;
}
