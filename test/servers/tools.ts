import { spawnSync } from "node:child_process";

/** Programs that tests call, with commands that succeed if they are installed. */
const PROBES = {
  "python3-grpcio": ["/usr/bin/python3", "-c", "import grpc"],
  "nghttp2-client": ["nghttp", "--version"],
  openssl: ["openssl", "version"],
  strace: ["strace", "--version"],
} as const;

/** Returns true if a program is installed, and prints a warning otherwise. */
export function has(name: keyof typeof PROBES): boolean {
  const [program, ...args] = PROBES[name];
  const runs = spawnSync(program, args).status === 0;
  if (!runs) console.warn(`SKIPPED: ${name} is missing, so tests that need it do not run`);
  return runs;
}
