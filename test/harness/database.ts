import { join } from "node:path";
import process from "node:process";
import { openLocalEngine } from "../../core/host/sqlite/engine.ts";
import type { StorageEngine } from "../../core/storage/engine.ts";
import { openRemoteEngine } from "../../core/storage/remote/engine.ts";

/** The runtime that serves the requests of tests: this process, or the edge bundle if TEST_RUNTIME is `workerd`. */
export const TEST_RUNTIME: "process" | "workerd" = process.env["TEST_RUNTIME"] === "workerd" ? "workerd" : "process";

/** The database that tests run on: a local file, or a libSQL server if TEST_DATABASE is `sqld`. */
export const TEST_DATABASE: "file" | "sqld" = process.env["TEST_DATABASE"] === "sqld" || TEST_RUNTIME === "workerd"
  ? "sqld"
  : "file";

/** The URLs of the libSQL servers behind the engines of tests. */
const urls = new WeakMap<StorageEngine, string>();

/** Returns the URL of a test's database, or undefined for a file. */
export function databaseUrl(engine: StorageEngine): string | undefined {
  return urls.get(engine);
}

/** Opens the database in a directory. Closing it keeps the data. */
export async function openTestDatabase(directory: string): Promise<StorageEngine> {
  if (TEST_DATABASE === "file") return await openLocalEngine({ path: join(directory, "edgehelm.db") });
  // Imported dynamically: the published package does not contain this module.
  const { Sqld } = await import("../servers/sqld.ts");
  const sqld = await Sqld.start(join(directory, "sqld"));
  const engine = await openRemoteEngine({ url: sqld.url }).catch(async (error) => {
    await sqld.kill();
    throw error;
  });
  urls.set(engine, sqld.url);
  const close = engine.close.bind(engine);
  engine.close = async () => {
    await close();
    await sqld.kill();
  };
  return engine;
}
