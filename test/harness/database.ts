import { join } from "node:path";
import process from "node:process";
import { openLocalEngine } from "../../core/host/sqlite/engine.ts";
import type { StorageEngine } from "../../core/storage/engine.ts";
import { openRemoteEngine } from "../../core/storage/remote/engine.ts";

/** Where requests of tests are answered: `TEST_RUNTIME=workerd` takes the edge bundle; the default is this process. */
export const TEST_RUNTIME: "process" | "workerd" = process.env["TEST_RUNTIME"] === "workerd" ? "workerd" : "process";

/** Which database tests run on: `TEST_DATABASE=sqld` takes a libSQL server; the default is a local file. */
export const TEST_DATABASE: "file" | "sqld" = process.env["TEST_DATABASE"] === "sqld" || TEST_RUNTIME === "workerd"
  ? "sqld"
  : "file";

/** Where the libSQL servers are that tests were given. */
const urls = new WeakMap<StorageEngine, string>();

/** Where others reach the database of a test; undefined for a file. */
export function databaseUrl(engine: StorageEngine): string | undefined {
  return urls.get(engine);
}

/** Opens the database of a directory. Closing it leaves the data. */
export async function openTestDatabase(directory: string): Promise<StorageEngine> {
  if (TEST_DATABASE === "file") return await openLocalEngine({ path: join(directory, "edgehelm.db") });
  // Not for vendors: the package does not hold it.
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
