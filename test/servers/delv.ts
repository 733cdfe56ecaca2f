import { execFile } from "node:child_process";
import { createSocket } from "node:dgram";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { decode } from "dns-packet";
import { reportMissing } from "../harness/needs.ts";

const DELV = "/usr/bin/delv";

/** Returns true if delv, the validating resolver of BIND, is installed, and prints a warning otherwise. */
export function delvRuns(): boolean {
  const runs = existsSync(DELV);
  if (!runs) reportMissing("bind9-dnsutils");
  return runs;
}

/**
 * Looks up a name at a server and validates the response with DS records of its zone, as a resolver does that has them
 * from the parent. Returns what delv prints: `; fully validated` if all is right.
 *
 * @param dsRecords the DS records as dnssec-dsfromkey prints them
 */
export async function delv(port: number, zone: string, dsRecords: readonly string[], name: string, type: string) {
  const folder = await mkdtemp(join(tmpdir(), "edgehelm-delv-"));
  try {
    const anchors = dsRecords.map((text) => {
      const [, , , tag, algorithm, digestType, digest] = text.split(" ");
      return `"${zone}." static-ds ${tag} ${algorithm} ${digestType} "${digest}";`;
    });
    const path = join(folder, "anchors");
    await writeFile(path, `trust-anchors { ${anchors.join("\n")} };\n`);
    const args = ["@127.0.0.1", "-p", `${port}`, "-a", path, `+root=${zone}`, name, type];
    return await promisify(execFile)(DELV, args)
      .then(({ stdout, stderr }) => stdout + stderr, ({ stdout, stderr }) => `${stdout}${stderr}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A DNS server that has the keys of one server and all other records of another, as a cache can. */
export async function mixedServer(keysPort: number, recordsPort: number): Promise<AsyncDisposable & { port: number }> {
  const front = createSocket("udp4");
  front.on("message", (message, from) => {
    const isForKeys = decode(message).questions?.[0]?.type === "DNSKEY";
    const back = createSocket("udp4");
    back.on("message", (response) => {
      back.close();
      front.send(response, from.port, from.address);
    });
    back.send(message, isForKeys ? keysPort : recordsPort, "127.0.0.1");
  });
  await new Promise<void>((resolve) => front.bind(0, "127.0.0.1", resolve));
  return {
    port: front.address().port,
    [Symbol.asyncDispose]: () => new Promise((resolve) => front.close(() => resolve())),
  };
}
