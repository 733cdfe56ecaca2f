import type { ObjectProps } from "../../../shell/area.ts";
import { callPath } from "../../../shell/call.ts";

export const FIND = "NodeInstallationService/findNodeInstallation";
export const CANCEL = "NodeInstallationService/cancelNodeInstallation";
export const ACCEPT_KEY = "NodeInstallationService/acceptNodeHostKey";

/** The steps of an installation, in order. */
export const STEPS = ["connect", "directory", "upload", "unpack", "configure", "test", "start"] as const;
export type StepCode = (typeof STEPS)[number];

export interface Step {
  readonly code: StepCode;
  readonly startedAt: bigint;
  readonly endedAt: bigint;
  readonly percent: number;
}

export interface HostKey {
  readonly host: string;
  readonly port: number;
  readonly fingerprint: string;
  readonly offeredFingerprint: string;
}

/** The last installation of a node. */
export interface Installation {
  readonly state: "waiting" | "running" | "done" | "failed" | "cancelled";
  readonly steps: readonly Step[];
  readonly version: string;
  readonly error: string;
  readonly errorCode: string;
  readonly hostKey?: HostKey;
  readonly requestedAt: bigint;
}

/** The operations on the program of one kind of node. */
export interface ProgramOperations {
  readonly role: "dns" | "node";
  readonly install: string;
  readonly start: string;
  readonly stop: string;
  /** The field of their requests with the id. */
  readonly id: string;
}

const OF_DNS_NODES: ProgramOperations = {
  role: "dns",
  install: "NSNodeService/installNSNode",
  start: "NSNodeService/startNSNode",
  stop: "NSNodeService/stopNSNode",
  id: "nsNodeId",
};
const OF_EDGE_NODES: ProgramOperations = {
  role: "node",
  install: "NodeService/installNode",
  start: "NodeService/startNode",
  stop: "NodeService/stopNode",
  id: "nodeId",
};

export function programOf({ resource }: ObjectProps): ProgramOperations {
  return resource.noun === "NSNode" ? OF_DNS_NODES : OF_EDGE_NODES;
}

export async function findInstallation(role: string, nodeId: bigint, signal: AbortSignal) {
  const { nodeInstallation } = await callPath(FIND, { role, nodeId }, signal);
  return { installation: nodeInstallation as Installation | undefined };
}

/** Starts or stops a program. @throws Error with the reason if that fails */
export async function control(path: string, request: Record<string, bigint>): Promise<void> {
  const { isOk, error } = await callPath(path, request);
  if (isOk !== true) throw new Error(String(error));
}

export function isRunning({ state }: Installation): boolean {
  return state === "waiting" || state === "running";
}
