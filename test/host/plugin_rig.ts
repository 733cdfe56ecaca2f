import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { currentRuntime, type Runtime, Server } from "../harness/server.ts";

const KEY_ID = "chosenkey0000001";
const KEY = "chosensecret00000000000000000001";

/** A new folder that goes away with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "edgehelm-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The runtime of the tests, and the other one where npx can bring it. */
export const runtimes: readonly Runtime[] = [currentRuntime, ...otherRuntime()];

function otherRuntime(): Runtime[] {
  const [name, words] = currentRuntime.name === "deno"
    ? ["node", ["-p", "node@24", "node", "-p", "process.execPath"]] as const
    : ["deno", ["deno@2.9.6", "eval", "console.log(Deno.execPath())"]] as const;
  try {
    const printed = execFileSync("npx", ["--yes", ...words], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return [{ name, binary: printed.trim().split("\n").at(-1)! }];
  } catch {
    console.warn(`SKIPPED: there is no ${name} to run the packaging tests on as well`);
    return [];
  }
}

/** An installation in `folder` of the token service, its keys and more plugins; answers it and an admin's token. */
export async function installation(
  folder: string,
  uses: readonly string[],
  where: { readonly runtime: Runtime; readonly project?: string },
): Promise<{ server: Server; token: string }> {
  const plugins = ["admin", "api_access_token", "user_access_key", ...uses];
  const manifest = join(folder, "manifest.json");
  writeFileSync(manifest, JSON.stringify({ plugins: plugins.map((one) => ({ use: one })) }));
  const environment = { EDGEHELM_ADMIN_ACCESS_KEY_ID: KEY_ID, EDGEHELM_ADMIN_ACCESS_KEY: KEY };
  const server = await Server.start({ manifest, data: join(folder, "data"), environment, ...where });
  const credentials = { type: "admin", accessKeyId: KEY_ID, accessKey: KEY };
  const { data } = await server.post("/APIAccessTokenService/getAPIAccessToken", credentials);
  return { server, token: (data as { token: string }).token };
}
