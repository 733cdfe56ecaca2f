import { StartupError } from "../../base/startup_error.ts";
import type { Logger } from "../../base/log.ts";
import { addressVersion } from "../../fields/network_fields.ts";
import { internalAddress } from "../../fields/internal_addresses.ts";
import type { Settings } from "../settings/settings.ts";

/**
 * Checks that access tokens do not leave this machine in plain text unless the settings allow it.
 *
 * @returns the listeners that send plain text beyond this machine, such as `http on 0.0.0.0`
 * @throws StartupError that names the settings of which one must change
 */
export function checkPlaintext({ http, grpc, metrics }: Pick<Settings, "http" | "grpc" | "metrics">): string[] {
  const isCovered = http.tls !== undefined || http.behindProxy;
  const callers = isCovered ? [] : reachable([["http", http.host], ["grpc", grpc.host]]);
  const monitoring = reachable(metrics === undefined ? [] : [["metrics", metrics.host]]);
  const open = [...callers, ...monitoring];
  if (open.length === 0 || http.plaintext) return open;
  const place = `${open.join(", ")} would send plain text to other machines`;
  const help = callers.length > 0
    ? 'set http.tls, or "http": {"behindProxy": true} if a proxy encrypts, or a host of 127.0.0.1'
    : "set metrics.host to 127.0.0.1";
  throw new StartupError(`${place}: ${help}; to allow it, set "http": {"plaintext": true}`);
}

/**
 * Warns that access tokens leave this machine in plain text, if the settings allow it.
 *
 * @throws StartupError if they do not
 */
export function warnOfPlaintext(settings: Settings, log: Logger): void {
  const listeners = checkPlaintext(settings);
  if (listeners.length === 0) return;
  log.warn("plain text is sent to other machines, as http.plaintext allows: others can read and change it", {
    listeners: listeners.join(", "),
  });
}

function reachable(listeners: readonly (readonly [name: string, host: string])[]): string[] {
  return listeners.filter(([, host]) => !isLoopback(host)).map(([name, host]) => `${name} on ${host}`);
}

/** A name other than localhost may resolve to anything. */
function isLoopback(host: string): boolean {
  if (addressVersion(host) === undefined) return host.toLowerCase() === "localhost";
  return internalAddress(host) === "a loopback address";
}
