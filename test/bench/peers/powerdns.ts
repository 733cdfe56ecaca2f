import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { isInstalled } from "../load/programs.ts";
import { type Peer, startPeer } from "./peer_process.ts";

const SCHEMA = "/usr/share/doc/pdns-backend-sqlite3/schema.sqlite3.sql";
export const POWERDNS_KEY = "benchmark";

export function hasPowerDNS(): boolean {
  return isInstalled("pdns_server");
}

/** PowerDNS with its HTTP API on SQLite, as durable as SQLite can be: WAL and a full sync for each commit. */
export function startPowerDNS(): Promise<Peer> {
  return startPeer("pdns_server", (directory, [api, dns]) => {
    const path = join(directory, "pdns.sqlite3");
    const database = new Database(path);
    database.exec(readFileSync(SCHEMA, "utf8"));
    database.pragma("journal_mode = wal");
    database.close();
    const settings = {
      "config-dir": directory,
      "socket-dir": directory,
      "launch": "gsqlite3",
      "gsqlite3-database": path,
      "gsqlite3-pragma-synchronous": "2",
      "gsqlite3-pragma-journal-mode": "WAL",
      "api": "yes",
      "api-key": POWERDNS_KEY,
      "webserver": "yes",
      "webserver-address": "127.0.0.1",
      "webserver-port": String(api),
      "webserver-loglevel": "none",
      "local-address": "127.0.0.1",
      "local-port": String(dns),
      "loglevel": "0",
      "guardian": "no",
      "daemon": "no",
    };
    return Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
  });
}
