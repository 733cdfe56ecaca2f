import { type Call, distinct } from "edgehelm";
import type { Servers } from "../server/contract.ts";
import { logFields } from "./contract/log_fields.ts";
import type { LogEntry } from "./contract/log_store.ts";

/** The features of plans by which sites have logs, and by which users see them. */
export const ACCESS_LOG = "server.accessLog";
export const VIEW_ACCESS_LOG = "server.viewAccessLog";

/** Returns the logs that the caller may see: for a user, those of sites whose plan lets users see logs. */
export async function seenBy(call: Call, servers: Servers, entries: readonly LogEntry[]): Promise<readonly LogEntry[]> {
  if (call.caller.role !== "user" || entries.length === 0) return entries;
  const serverIds = entries.map(({ log }) => logFields(log).serverId);
  const sites = await servers.summaries(call, distinct(serverIds));
  const hidden = await servers.lackingFeature(call, [...sites.values()], VIEW_ACCESS_LOG);
  return hidden.size === 0 ? entries : entries.filter((_, index) => !hidden.has(serverIds[index]!));
}
