import { arch, cpus, freemem, hostname, loadavg, platform, totalmem } from "node:os";

const ARCHITECTURES: Readonly<Record<string, string>> = {
  x64: "amd64",
  ia32: "386",
};
const encoder = new TextEncoder();

/** Returns what an agent reports about itself and its machine. */
export function statusJSON(version: string, configVersion: string): Uint8Array<ArrayBuffer> {
  const [load1m = 0, load5m = 0, load15m = 0] = loadavg();
  const status = {
    isActive: true,
    buildVersion: version,
    configVersion: Number(configVersion || 0),
    os: platform(),
    arch: ARCHITECTURES[arch()] ?? arch(),
    hostname: hostname(),
    cpuLogicalCount: cpus().length,
    memoryTotal: totalmem(),
    memoryUsage: 1 - freemem() / totalmem(),
    ...{ load1m, load5m, load15m },
  };
  return encoder.encode(JSON.stringify(status));
}
