import { Sqld } from "../../servers/sqld.ts";
import type { TemporaryFolder } from "./temporary_folder.ts";

/** Starts a libSQL server on an empty database; installs its package first if it is missing. */
export async function startSqld(folder: TemporaryFolder): Promise<Sqld> {
  await import("../../servers/install_sqld.ts");
  return await Sqld.start(folder.unique("sqld"));
}
