import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reportMissing } from "../../../harness/needs.ts";

const CHROMIUM = "/usr/bin/chromium";

export function browserRuns(): boolean {
  if (existsSync(CHROMIUM)) return true;
  reportMissing("chromium");
  return false;
}

/**
 * Opens a page in a browser.
 *
 * @param script a module, which posts its result to `/result`
 * @returns the result
 */
export async function visit(script: Uint8Array): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const site = createServer(async (request, response) => {
    if (request.url === "/result") {
      resolve(await new Response(ReadableStream.from(request)).text());
      response.end();
    } else if (request.url === "/program.js") {
      response.writeHead(200, { "content-type": "text/javascript" }).end(script);
    } else {response.writeHead(200, { "content-type": "text/html" }).end(
        '<script type="module" src="program.js"></script>',
      );}
  });
  await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening));
  const profile = await mkdtemp(join(tmpdir(), "edgehelm-browser-"));
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", `--user-data-dir=${profile}`];
  const browser = spawn(CHROMIUM, [...flags, url], { stdio: "ignore" });
  const ended = new Promise<void>((exited) => browser.once("exit", () => exited()));
  browser.once("exit", (code) => reject(new Error(`the browser ended with code ${code} before the page`)));
  try {
    return await promise;
  } finally {
    browser.kill();
    await ended;
    site.closeAllConnections();
    site.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
