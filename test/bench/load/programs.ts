import { execFileSync } from "node:child_process";

const PACKAGES = { wrk: "wrk", h2load: "nghttp2-client" } as const;

/** Refuses to go on without the programs that make the load. */
export function requireLoadPrograms(): void {
  const missing = Object.entries(PACKAGES).filter(([program]) => !isInstalled(program));
  if (missing.length === 0) return;
  const [programs, packages] = [missing.map(([program]) => program), missing.map(([, name]) => name)];
  throw new Error(`${programs.join(" and ")} not found: apt-get install ${packages.join(" ")}`);
}

export function isInstalled(program: string): boolean {
  try {
    execFileSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
