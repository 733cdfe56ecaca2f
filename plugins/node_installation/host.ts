import { createHash } from "node:crypto";
import { connectMachine } from "./host/connect.ts";
import type { InstallationHost } from "./machine.ts";

/** Returns the services of a machine: SSH over the outgoing client of the installation, and sums. */
export function open(): InstallationHost {
  return {
    connect: connectMachine,
    sums() {
      const [sha256, md5] = [createHash("sha256"), createHash("md5")];
      return {
        update(bytes) {
          sha256.update(bytes);
          md5.update(bytes);
        },
        end: () => ({ sha256: sha256.digest("hex"), md5: md5.digest("hex") }),
      };
    },
  };
}
