import type { Connection } from "../sqlite/connection.ts";

/** Returns the size in bytes of a snapshot of a database, which has no free pages. */
export function snapshotBytes(connection: Connection): number {
  const [pages, free, size] = ["page_count", "freelist_count", "page_size"].map((name) =>
    Number(connection.query(`pragma ${name}`)[0]?.[0])
  );
  return (pages! - free!) * size!;
}
