import { execFile, execFileSync } from "node:child_process";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runtimes } from "../harness/runtimes.ts";
import { installationDirectory, removeInstallation, runToEnd, Server } from "../harness/server.ts";

let installation: Record<string, string>;
let folder: string;
beforeEach(async () => {
  installation = await installationDirectory(["admin", "api_access_token", "hello_world", "user_access_key"]);
  folder = dirname(installation.EDGEHELM_MANIFEST!);
  const manifest = JSON.parse(await readFile(installation.EDGEHELM_MANIFEST!, "utf8"));
  manifest.http = { tls: { certFile: "cert.pem", keyFile: "key.pem" } };
  await writeFile(installation.EDGEHELM_MANIFEST!, JSON.stringify(manifest));
  for (const name of ["first", "second"]) makeCertificate(name);
  await use("first");
});
afterEach(() => removeInstallation(installation));

function makeCertificate(name: string): void {
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const subject = ["-subj", `/CN=${name}`, "-addext", "subjectAltName=IP:127.0.0.1"];
  const files = ["-keyout", join(folder, `${name}.key`), "-out", join(folder, `${name}.pem`)];
  execFileSync("openssl", ["req", "-x509", ...curve, ...subject, ...files], { stdio: "ignore" });
}

async function use(cert: string, key = cert): Promise<void> {
  await copyFile(join(folder, `${cert}.pem`), join(folder, "cert.pem"));
  await copyFile(join(folder, `${key}.key`), join(folder, "key.pem"));
}

/** Returns the output of curl when it trusts only this certificate. */
function curl(url: string, trusted: string): Promise<string> {
  const args = ["-sS", "--cacert", join(folder, `${trusted}.pem`), `${url}/livez`];
  return new Promise((resolve) => {
    execFile("curl", args, (error, stdout, stderr) => resolve(error === null ? stdout : stderr));
  });
}

/** Makes the server reload its certificate and waits for a log message. */
async function reload(server: Server, message: string): Promise<void> {
  process.kill(server.pid, "SIGHUP");
  while (!server.output.includes(message)) await new Promise((resolve) => setImmediate(resolve));
}

describe.each(runtimes())("HTTPS on %s", (_name, runtime) => {
  test("serves a renewed certificate after SIGHUP, and keeps the old one if the new one is invalid", async () => {
    const server = await Server.start(installation, runtime);
    expect(server.url).toMatch(/^https:/);
    expect(await curl(server.url, "first")).toBe("ok\n");
    expect(await curl(server.url, "second")).toContain("self-signed");

    await use("second");
    await reload(server, "TLS certificate reloaded");
    expect(await curl(server.url, "second")).toBe("ok\n");
    expect(await curl(server.url, "first")).toContain("self-signed");

    await use("first", "second");
    await reload(server, "does not belong to the key");
    await writeFile(join(folder, "cert.pem"), "not a certificate");
    await reload(server, 'cert.pem\\" cannot be used');
    expect(await curl(server.url, "second")).toBe("ok\n");
    expect(await server.stop()).toBe(0);
  });
});

test("a certificate that does not match its key stops the start", async () => {
  await use("first", "second");
  expect(await runToEnd(["start"], installation))
    .toMatchObject({
      code: 78,
      output: expect.stringMatching(/cert\.pem" does not belong to the key in ".*key\.pem"/),
    });
});
