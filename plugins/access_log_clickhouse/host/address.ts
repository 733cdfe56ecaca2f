import { readFileSync } from "node:fs";
import process from "node:process";
import type { AccessLogClickHouseConfig } from "../proto/config_pb.ts";
import type { ClickHouseAddress } from "./client.ts";

const PLUGIN = "access_log_clickhouse";

/**
 * Reads the address of the server from the configuration.
 *
 * @throws Error naming the invalid setting and its allowed values
 */
export function addressOf({ url, database, username, password }: AccessLogClickHouseConfig): ClickHouseAddress {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.username !== "" || parsed.password !== "") {
    throw new Error(`${PLUGIN}: url: must be an http or https address without a user, such as http://127.0.0.1:8123`);
  }
  return {
    url,
    database: database || "default",
    username: username || "default",
    password: password === "" ? "" : secretOf(password),
  };
}

/** Resolves a reference to a secret; secrets must not be in the manifest, which is not confidential. */
function secretOf(reference: string): string {
  const [, kind, name = ""] = /^(env|file):(.+)$/s.exec(reference) ?? [];
  if (kind === undefined) throw new Error(`${PLUGIN}: password: must be a reference, "env:NAME" or "file:/path"`);
  if (kind === "env") {
    const value = process.env[name];
    if (value === undefined) throw new Error(`${PLUGIN}: password: the environment variable ${name} is not set`);
    return value;
  }
  try {
    return readFileSync(name, "utf8").trim();
  } catch (error) {
    throw new Error(`${PLUGIN}: password: the file ${name} cannot be read: ${(error as { code?: string }).code}`);
  }
}
