import type { EmittedEvent, EventKind } from "edgehelm/runtime";
import type { Target } from "./store.ts";

/** The fields of events that name the cluster, the node and the site, by the role of the machines of a target. */
const FIELDS: Readonly<Record<string, { readonly cluster: string; readonly node: string }>> = {
  node: { cluster: "nodeClusterId", node: "nodeId" },
  dns: { cluster: "nsClusterId", node: "nsNodeId" },
  report: { cluster: "", node: "reportNodeId" },
};

/** Returns the roles of the machines that events of a kind are about. */
export function rolesOf(kind: EventKind): string[] {
  return Object.entries(FIELDS).filter(([, { cluster, node }]) => hasField(kind, cluster) || hasField(kind, node))
    .map(([role]) => role);
}

/** Returns true if an event is about a target. */
export function isAbout({ role, clusterId, nodeId, serverId }: Target, event: EmittedEvent): boolean {
  const fields = FIELDS[role];
  if (fields !== undefined && !rolesOf(event.kind).includes(role)) return false;
  return isOrAll(clusterId, idIn(event, fields?.cluster ?? "")) && isOrAll(nodeId, idIn(event, fields?.node ?? "")) &&
    isOrAll(serverId, idIn(event, "serverId"));
}

/** Returns the id of the cluster of edge nodes that an event is about; 0 if it is about none. */
export function edgeClusterOf(event: EmittedEvent): bigint {
  return idIn(event, "nodeClusterId");
}

function isOrAll(wanted: bigint, id: bigint): boolean {
  return wanted === 0n || wanted === id;
}

function hasField({ data }: EventKind, name: string): boolean {
  return data.fields.some(({ localName }) => localName === name);
}

function idIn({ data }: EmittedEvent, name: string): bigint {
  const value = (data as unknown as Readonly<Record<string, unknown>>)[name];
  return typeof value === "bigint" ? value : 0n;
}
