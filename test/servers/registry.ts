import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type NpmProgram, npmProgramRuns } from "./npm_program.ts";

const PROGRAM: NpmProgram = {
  name: "verdaccio@6.10.4",
  folder: join(tmpdir(), "edgehelm-verdaccio-6.10.4"),
  file: "node_modules/verdaccio/package.json",
  overrides: { "node-fetch": "2.7.0" },
};
const START = `require("verdaccio").runServer(process.argv[1]).then((app) => {
  const server = app.listen(0, "127.0.0.1", () => console.log("port " + server.address().port));
})`;

/** Installs the registry on first use, and returns true if it can run. */
export function registryRuns(): boolean {
  return npmProgramRuns(PROGRAM);
}

/** An npm registry on this machine, which gets what it has not got from the registry that npm is configured with. */
export class Registry implements AsyncDisposable {
  readonly url: string;
  /** The content of the `.npmrc` of its users. */
  readonly npmrc: string;
  readonly #child: ChildProcess;

  private constructor(url: string, npmrc: string, child: ChildProcess) {
    this.url = url;
    this.npmrc = npmrc;
    this.#child = child;
  }

  /**
   * Starts a registry with an account.
   *
   * @param node the program that runs it
   * @param folder the folder of its packages, which is created
   */
  static async start(node: string, folder: string): Promise<Registry> {
    await mkdir(folder, { recursive: true });
    const path = join(folder, "config.yaml");
    // JSON is YAML
    await writeFile(path, JSON.stringify(configuration(folder)));
    const ca = npmSetting("cafile");
    const child = spawn(node, ["-e", START, path], {
      cwd: PROGRAM.folder,
      env: { ...process.env, ...(ca !== undefined && { NODE_EXTRA_CA_CERTS: ca }) },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const port = await new Promise<string>((resolve, reject) => {
      let output = "";
      child.stdout.on("data", (chunk) => {
        output += chunk;
        const [, found] = /port (\d+)\n/.exec(output) ?? [];
        if (found !== undefined) resolve(found);
      });
      child.once("exit", () => reject(new Error(`the registry did not start: ${output}`)));
    });
    const url = `http://127.0.0.1:${port}/`;
    const npmrc = `registry=${url}\n//127.0.0.1:${port}/:_authToken=${await createAccount(url)}\n`;
    return new Registry(url, npmrc, child);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }
}

async function createAccount(url: string): Promise<string> {
  const response = await fetch(`${url}-/user/org.couchdb.user:vendor`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "vendor", password: "correct horse battery" }),
  });
  return (await response.json()).token;
}

function configuration(folder: string): object {
  const own = { access: "$all", publish: "$authenticated" };
  return {
    storage: join(folder, "storage"),
    auth: { htpasswd: { file: join(folder, "htpasswd") } },
    uplinks: { upstream: { url: npmSetting("registry"), maxage: "1h", timeout: "120s" } },
    packages: {
      "@acme/*": own,
      "edgehelm": own,
      "edgehelm-plugin-*": own,
      "**": { access: "$all", proxy: "upstream" },
    },
    max_body_size: "100mb",
    log: { type: "stdout", level: "error" },
    web: { enable: false },
  };
}

function npmSetting(name: string): string | undefined {
  const value = execFileSync("npm", ["config", "get", name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
    .trim();
  return ["", "null", "undefined"].includes(value) ? undefined : value;
}
