import { invalid, jsonField, listField, textField } from "edgehelm";
import { addressField, addressVersion } from "edgehelm/fields";
import { nodeReportField } from "../node_base/contract.ts";
import type { ReportNodePlace } from "./contract.ts";
import { type ReportNodeSetting, ReportNodeSettingSchema, ReportNodeStatusSchema } from "./proto/shapes_pb.ts";
import type { NodeFields, ReportNodeRow } from "./store.ts";

/** Report nodes that have not reported for longer are inactive. */
export const SILENT_SECONDS = 60n;
const MAX_ADDRESSES = 100;
const DEFAULT_CONNECTIVITY = 100;

/** Validates a request that creates or updates a report node. */
export function nodeFields(request: {
  readonly name: string;
  readonly location: string;
  readonly isp: string;
  readonly allowIPs: readonly string[];
  readonly reportNodeGroupIds: readonly bigint[];
}): NodeFields {
  const allowed = listField("allowIPs", request.allowIPs, addressField, { max: MAX_ADDRESSES });
  return {
    name: textField("name", request.name, { min: 1 }),
    location: textField("location", request.location),
    isp: textField("isp", request.isp),
    allowIPs: JSON.stringify([...new Set(allowed)]),
    groupIds: `[${[...new Set(request.reportNodeGroupIds)].join(",")}]`,
  };
}

/** Checks that a report node may report from an address. An unknown address is refused if `allowIPs` is not empty. */
export function isAllowedAddress({ allowIPs }: Pick<ReportNodeRow, "allowIPs">, address: string | undefined): boolean {
  const allowed = JSON.parse(allowIPs) as string[];
  if (allowed.length === 0) return true;
  // dual-stack listeners report IPv4 clients as IPv4-mapped IPv6 addresses
  const plain = address?.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "") ?? "";
  return addressVersion(plain) !== undefined && allowed.includes(addressField("address", plain));
}

/** Returns from where a report node measures: as it was set, or else as the node detected it. */
export function placeOf(row: ReportNodeRow): ReportNodePlace {
  return { name: row.name, location: row.location || row.statusLocation, isp: row.isp || row.statusISP };
}

/** Validates a status report; its time is set by the clock of the server, not of the report node. */
export function statusField(field: string, bytes: Uint8Array, now: bigint, remoteAddress: string | undefined) {
  const { status, kept } = nodeReportField(field, bytes, ReportNodeStatusSchema, now);
  const statusIP = textField(`${field}.ip`, status.ip || (remoteAddress ?? ""), { max: 64 });
  return {
    statusJSON: kept({ ip: statusIP }),
    statusIP,
    statusLocation: textField(`${field}.location`, status.location),
    statusISP: textField(`${field}.isp`, status.isp),
    statusUpdatedAt: now,
  };
}

/** Validates the global setting. Returns undefined for empty bytes. */
export function settingField(field: string, bytes: Uint8Array): ReportNodeSetting | undefined {
  const setting = jsonField(field, bytes, ReportNodeSettingSchema);
  if (setting === undefined) return undefined;
  const { minNotifyConnectivity = DEFAULT_CONNECTIVITY, notifyWebHookURL } = setting;
  if (!(minNotifyConnectivity >= 0 && minNotifyConnectivity <= 100)) {
    throw invalid(`${field}.minNotifyConnectivity`, `must be 0 to 100, got ${minNotifyConnectivity}`);
  }
  const url = textField(`${field}.notifyWebHookURL`, notifyWebHookURL, { max: 2000 });
  if (url !== "" && !(/^https?:/i.test(url) && URL.canParse(url))) {
    throw invalid(`${field}.notifyWebHookURL`, `must be an http or https URL, got "${url.slice(0, 60)}"`);
  }
  return { ...setting, minNotifyConnectivity, notifyWebHookURL: url };
}
