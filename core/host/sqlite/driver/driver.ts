import process from "node:process";
import Database from "libsql";

/** The threads on which the driver runs long reads: two for each of its connections, one of which may hang. */
export const DRIVER_THREADS = 8;

// The driver reads it when it opens its first database. By default it has a thread for each processor, so that on small
// machines a few reads that never end would hold up all others.
process.env["TOKIO_WORKER_THREADS"] ??= String(DRIVER_THREADS);

export default Database;
