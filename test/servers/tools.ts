import { spawnSync } from "node:child_process";

/** Programs that tests call, and the command that tells whether each is there. */
const PROBES = {
  "python3-grpcio": ["/usr/bin/python3", "-c", "import grpc"],
  "nghttp2-client": ["nghttp", "--version"],
  openssl: ["openssl", "version"],
  strace: ["strace", "--version"],
} as const;

/** Whether a package of programs is installed; says so loudly when it is not. */
export function has(name: keyof typeof PROBES): boolean {
  const [program, ...words] = PROBES[name];
  const runs = spawnSync(program, words).status === 0;
  if (!runs) console.warn(`SKIPPED: ${name} is missing, so tests that need it do not run`);
  return runs;
}
