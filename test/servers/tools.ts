import { spawnSync } from "node:child_process";
import { reportMissing } from "../harness/needs.ts";

/** Programs that tests call, with commands that succeed if they are installed. */
const PROBES = {
  "python3-grpcio": ["/usr/bin/python3", "-c", "import grpc"],
  "python3-aiosmtpd": ["/usr/bin/python3", "-c", "import aiosmtpd"],
  "nghttp2-client": ["nghttp", "--version"],
  openssl: ["openssl", "version"],
  strace: ["strace", "--version"],
} as const;

/** Returns true if a program is installed, and prints a warning otherwise. */
export function has(name: keyof typeof PROBES): boolean {
  const [program, ...args] = PROBES[name];
  const runs = spawnSync(program, args).status === 0;
  if (!runs) reportMissing(name);
  return runs;
}
