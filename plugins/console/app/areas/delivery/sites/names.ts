import { readJson, writeJson } from "../../../parts/json_bytes.ts";
import { callPath } from "../../../shell/call.ts";

interface ServerName {
  readonly name?: string;
  readonly type?: string;
  readonly subNames?: readonly string[];
}

/** Returns the domain names of a site as they are stored: some entries have several. */
export async function loadNames(serverId: bigint, signal?: AbortSignal): Promise<readonly ServerName[]> {
  const { serverNamesJSON } = await callPath("ServerService/findServerNames", { serverId }, signal);
  return readJson<ServerName[]>(serverNamesJSON) ?? [];
}

/** Returns every domain name once. */
export function plainNames(entries: readonly ServerName[]): string[] {
  return entries.flatMap(({ name, subNames = [] }) => subNames.length > 0 ? subNames : [name ?? ""]);
}

/** Adds domain names to what the site has now. */
export async function addNames(serverId: bigint, added: readonly string[]): Promise<void> {
  await save(serverId, [...await loadNames(serverId), ...added.map((name) => ({ name, type: "full" }))]);
}

/** Removes a domain name from what the site has now. */
export async function removeName(serverId: bigint, removed: string): Promise<void> {
  const entries = await loadNames(serverId);
  const left = entries.flatMap((entry) => {
    const { subNames = [] } = entry;
    if (subNames.length === 0) return entry.name === removed ? [] : [entry];
    const others = subNames.filter((name) => name !== removed);
    return others.length === 0 ? [] : [{ ...entry, subNames: others }];
  });
  await save(serverId, left);
}

async function save(serverId: bigint, entries: readonly ServerName[]): Promise<void> {
  await callPath("ServerService/updateServerNames", { serverId, serverNamesJSON: writeJson(entries) });
}
