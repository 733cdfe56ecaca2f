import { readJson, writeJson } from "../../../parts/json_bytes.ts";
import type { Row } from "../../../shell/area.ts";
import { callPath } from "../../../shell/call.ts";

/** The two lists of origins of a reverse proxy. */
export type OriginGroup = "primary" | "backup";

/** The address at which an origin is reached. */
export interface Address {
  readonly protocol: string;
  readonly host: string;
  readonly portRange: string;
}

/** An origin, as configurations of nodes have it. */
export interface Origin {
  readonly id: number | string;
  readonly isOn?: boolean;
  readonly name?: string;
  readonly addr?: Address;
  readonly oss?: { readonly type?: string };
  readonly description?: string;
  readonly weight?: number;
  readonly maxConns?: number;
  readonly maxIdleConns?: number;
  readonly domains?: readonly string[];
  readonly requestHost?: string;
  readonly followPort?: boolean;
  readonly http2Enabled?: boolean;
}

interface OriginRef {
  readonly isOn?: boolean;
  readonly originId: number | string;
}

/** The reverse proxy of a site, with its origins. */
export interface Proxy {
  readonly id: number | string;
  readonly isOn?: boolean;
  readonly primaryOrigins?: readonly Origin[];
  readonly primaryOriginRefs?: readonly OriginRef[];
  readonly backupOrigins?: readonly Origin[];
  readonly backupOriginRefs?: readonly OriginRef[];
}

/** The fields of an origin that its form has. */
export interface OriginInput extends Address {
  readonly name: string;
  readonly weight: number;
}

/** Returns the id of the reverse proxy of a site; undefined if it has none. */
export function proxyIdOf({ reverseProxyJSON }: Row): bigint | undefined {
  const { reverseProxyId = 0 } = readJson<{ reverseProxyId?: number | string }>(reverseProxyJSON) ?? {};
  return BigInt(reverseProxyId) === 0n ? undefined : BigInt(reverseProxyId);
}

/** Returns the reverse proxy; undefined if the site has none. */
export async function loadProxy(reverseProxyId: bigint | undefined, signal?: AbortSignal): Promise<Proxy | undefined> {
  if (reverseProxyId === undefined) return undefined;
  const path = "ReverseProxyService/findEnabledReverseProxyConfig";
  return readJson<Proxy>((await callPath(path, { reverseProxyId }, signal))["reverseProxyJSON"]);
}

/** Makes an origin, and the reverse proxy of the site if it has none yet. */
export async function addOrigin(
  serverId: bigint,
  reverseProxyId: bigint | undefined,
  group: OriginGroup,
  { name, weight, ...addr }: OriginInput,
): Promise<void> {
  const { originId } = await callPath("OriginService/createOrigin", { isOn: true, name, weight, addr });
  const added = { isOn: true, originId: Number(originId) };
  if (reverseProxyId !== undefined) return await changeRefs(reverseProxyId, group, (refs) => [...refs, added]);
  const made = await callPath("ReverseProxyService/createReverseProxy", {
    schedulingJSON: writeJson({ code: "random" }),
    primaryOriginsJSON: writeJson(group === "primary" ? [added] : []),
    backupOriginsJSON: writeJson(group === "backup" ? [added] : []),
  });
  const reference = { isOn: true, reverseProxyId: Number(made["reverseProxyId"]) };
  await callPath("ServerService/updateServerReverseProxy", { serverId, reverseProxyJSON: writeJson(reference) });
}

/** Changes what a person can enter; everything else stays as it is. */
export async function changeOrigin(origin: Origin, { name, weight, ...addr }: OriginInput): Promise<void> {
  const { isOn, description, maxConns, maxIdleConns, domains, requestHost, followPort, http2Enabled } = origin;
  await callPath("OriginService/updateOrigin", {
    ...{ originId: BigInt(origin.id), isOn: isOn ?? false, name, weight, addr },
    ...{ description: description ?? "", maxConns: maxConns ?? 0, maxIdleConns: maxIdleConns ?? 0 },
    ...{ domains: domains ?? [], host: requestHost ?? "" },
    ...{ followPort: followPort ?? false, http2Enabled: http2Enabled ?? false },
  });
}

/** Takes an origin out of the reverse proxy. */
export function removeOrigin(reverseProxyId: bigint, group: OriginGroup, { id }: Origin): Promise<void> {
  return changeRefs(reverseProxyId, group, (refs) => refs.filter(({ originId }) => BigInt(originId) !== BigInt(id)));
}

/** Turns an origin on or off. */
export async function switchOrigin({ id }: Origin, isOn: boolean): Promise<void> {
  await callPath("OriginService/updateOriginIsOn", { originId: BigInt(id), isOn });
}

const UPDATES = { primary: "updateReverseProxyPrimaryOrigins", backup: "updateReverseProxyBackupOrigins" } as const;

/** Changes a list as it is now, so that what others added meanwhile stays. */
async function changeRefs(
  reverseProxyId: bigint,
  group: OriginGroup,
  change: (refs: readonly OriginRef[]) => readonly OriginRef[],
): Promise<void> {
  const refs = (await loadProxy(reverseProxyId))?.[`${group}OriginRefs`] ?? [];
  const originsJSON = writeJson(change(refs));
  await callPath(`ReverseProxyService/${UPDATES[group]}`, { reverseProxyId, originsJSON });
}
