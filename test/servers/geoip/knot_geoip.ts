import { existsSync, globSync } from "node:fs";
import { reportMissing } from "../../harness/needs.ts";
import { Knot } from "../knot.ts";

/** The package is unpacked here, and not installed: Knot would load the module everywhere. */
const FOLDER = "/usr/local/lib/knot-module-geoip";

function modulePath(): string {
  return existsSync(FOLDER) ? globSync(`${FOLDER}/usr/lib/*/knot/modules-*/geoip.so`)[0] ?? "" : "";
}

/** Returns true if the module geoip of Knot is there, and prints a warning otherwise. */
export function geoipRuns(): boolean {
  const runs = modulePath() !== "";
  if (!runs) reportMissing(`knot-module-geoip, unpacked in ${FOLDER}`);
  return runs;
}

/** Starts Knot with its module geoip, and with what nodes need of it. */
export function startKnotWithGeoip({ isPinned = true } = {}): Promise<Knot> {
  const { more, preload } = geoip();
  return Knot.start(more, isPinned ? preload : "");
}

/** Returns what the configuration of Knot has besides for its module geoip, and the library that stays in its memory. */
export function geoip(): { readonly more: string; readonly preload: string } {
  const preload = modulePath();
  const more = `server:
    edns-client-subnet: on
module:
  - id: mod-geoip
    file: ${preload}
`;
  return { more, preload };
}
