import { connectMachine } from "./host/connect.ts";
import type { InstallationHost } from "./machine.ts";

/** Returns SSH over the outgoing client of the installation. */
export function open(): InstallationHost {
  return { connect: connectMachine };
}
