import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { TestClock } from "edgehelm/testing";
import { beforeAll, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../../../core/base/limits.ts";
import { createLogger } from "../../../core/base/log.ts";
import { listenHttp1With } from "../../../core/host/listen/http1_listener.ts";
import { ServedCertificates } from "../../../core/host/observe/served_certificates.ts";
import { temporaryDirectory } from "../../core/storage/engines.ts";

const DAY = 86_400;
const clock = new TestClock();
let folder: string;
beforeAll(async () => {
  folder = await temporaryDirectory();
  make("short", 20);
  make("long", 365);
});

/** Makes a certificate that is valid for a number of days. */
function make(name: string, days: number): void {
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", String(days)];
  const files = ["-keyout", join(folder, `${name}.key`), "-out", join(folder, `${name}.pem`)];
  execFileSync("openssl", ["req", "-x509", ...curve, "-subj", `/CN=${name}`, ...files], { stdio: "ignore" });
}

const fingerprintOf = (name: string) => {
  const args = ["x509", "-in", join(folder, `${name}.pem`), "-noout", "-fingerprint", "-sha256"];
  return execFileSync("openssl", args).toString().split("=")[1]!.trim().replaceAll(":", "").toLowerCase();
};

test("a certificate in use is found 14 days before it expires, and until it is no longer in use", async () => {
  const certificates = new ServedCertificates(clock);
  const find = async () => await certificates.source.find({} as never, new Set());
  const served = (name: string) => ({ file: "cert.pem", cert: readFileSync(join(folder, `${name}.pem`), "utf8") });
  expect(await find()).toEqual([]);
  certificates.watch(() => [served("short"), served("short"), served("long")]);
  clock.advance(5.9 * DAY);
  expect(await find()).toEqual([]);
  clock.advance(0.2 * DAY);
  expect(await find()).toEqual([
    { subject: fingerprintOf("short"), data: expect.objectContaining({ file: "cert.pem" }) },
  ]);
  clock.advance(30 * DAY);
  expect(await find()).toHaveLength(1);
  certificates.watch(() => [served("long")]);
  expect(await find()).toEqual([]);
});

test("a listener names the certificate that it uses, which is that of the last reload", async () => {
  const log = createLogger({ level: "silent", write: () => {}, clock });
  const [certFile, keyFile] = [join(folder, "cert.pem"), join(folder, "cert.key")];
  const use = (name: string) => {
    execFileSync("cp", [join(folder, `${name}.pem`), certFile]);
    execFileSync("cp", [join(folder, `${name}.key`), keyFile]);
  };
  use("short");
  const short = readFileSync(certFile, "utf8");
  const settings = { host: "127.0.0.1", port: 0, behindProxy: false, tls: { certFile, keyFile } };
  const listener = await listenHttp1With(() => () => {}, settings, DEFAULT_LIMITS, log);
  try {
    use("long");
    expect(listener.certificate).toEqual({ file: certFile, cert: short });
    listener.reloadTls();
    expect(listener.certificate).toEqual({ file: certFile, cert: readFileSync(join(folder, "long.pem"), "utf8") });
  } finally {
    await listener.close(0);
  }
});
