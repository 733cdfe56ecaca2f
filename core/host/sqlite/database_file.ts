import { Buffer } from "node:buffer";
import { readSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { INSTALLATION_ID } from "../../kernel/installation_state.ts";
import { Connection } from "./connection.ts";
import { heldDescriptor } from "./held_descriptors.ts";

const HEADER_BYTES = 100;
/** The place of `user_version`, in which the number of the checkpoint is. */
const CHECKPOINT_OFFSET = 60;

/** Returns the size of a file, 0 if it does not exist. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Reads the header of a database file. */
export function readHeader(path: string): Buffer {
  return headerOf(heldDescriptor(path));
}

/** Reads the header of an open database file. */
export function headerOf(file: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  readSync(file, header, 0, HEADER_BYTES, 0);
  return header;
}

/** Reads the number of the last checkpoint of a database file, 0 if it is empty. */
export function readCheckpoint(path: string): number {
  return sizeOf(path) === 0 ? 0 : checkpointOf(readHeader(path));
}

/** Returns the number of the last checkpoint in the header of a database file. */
export function checkpointOf(header: Buffer): number {
  return header.readUInt32BE(CHECKPOINT_OFFSET);
}

/** Returns the id of the installation in a database file, with what is in its write-ahead log. */
export function readInstallationId(path: string): string | undefined {
  const connection = new Connection(`${pathToFileURL(path).href}?mode=ro`, []);
  try {
    return installationIdIn(connection);
  } finally {
    connection.close();
  }
}

/** Returns the id of the installation in an open database. */
export function installationIdIn(connection: Connection): string | undefined {
  const tables = connection.query("select 1 from sqlite_master where type = 'table' and name = 'kernel_settings'");
  if (tables.length === 0) return undefined;
  const [row] = connection.query(`select value from kernel_settings where name = '${INSTALLATION_ID}'`);
  return row === undefined ? undefined : String(row[0]);
}
