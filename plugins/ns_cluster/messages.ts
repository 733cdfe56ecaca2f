import { type Call, mayAccessOwner, ownerOf } from "edgehelm";
import type { ClusterAccess } from "../plan/contract.ts";
import { type ConfigField, configFields } from "./config_field.ts";
import type { NestedNSCluster } from "./contract.ts";
import type { NSClusterRow, NSClusterSummaryRow } from "./store.ts";

/** Returns a configuration of a cluster as JSON: the stored one, or the default. */
export function configOf(row: NSClusterRow, field: ConfigField): Uint8Array {
  return row[field.column] ?? field.defaultValue;
}

/** Returns the hosts of a row. */
export function hostsOf({ hosts }: Pick<NSClusterRow, "hosts">): string[] {
  return JSON.parse(hosts) as string[];
}

/** Returns a cluster as the caller may see it; users see clusters that are open to them, without settings. */
export async function visibleCluster(
  call: Call,
  access: ClusterAccess,
  row: NSClusterRow,
): Promise<NestedNSCluster | undefined> {
  return mayAccessOwner(call.caller, 0n) ? clusterMessage(row) : await messageToUser(call, access, row);
}

/** Returns a cluster as users see it, or undefined if it is not open to the caller. */
export async function messageToUser(
  call: Call,
  access: ClusterAccess,
  row: NSClusterSummaryRow,
): Promise<NestedNSCluster | undefined> {
  if (!await access.isOpenTo(call, row, ownerOf(call, 0n))) return undefined;
  return { id: row.id, isOn: row.isOn === 1n, name: row.name, hosts: hostsOf(row) };
}

/** Returns a cluster as admins see it. */
export function clusterMessage(row: NSClusterRow) {
  return {
    id: row.id,
    isOn: row.isOn === 1n,
    name: row.name,
    installDir: row.installDir,
    tcpJSON: configOf(row, configFields.tcp),
    tlsJSON: configOf(row, configFields.tls),
    udpJSON: configOf(row, configFields.udp),
    hosts: hostsOf(row),
    autoRemoteStart: row.autoRemoteStart === 1n,
    timeZone: row.timeZone,
    answerJSON: configOf(row, configFields.answer),
    soaJSON: configOf(row, configFields.soa),
    email: row.email,
    detectAgents: row.detectAgents === 1n,
    checkingPorts: row.checkingPorts === 1n,
    dohJSON: configOf(row, configFields.doh),
    ...(row.openToJSON !== null && { openToJSON: row.openToJSON }),
  };
}
