import type { NSRecordContent } from "./contract.ts";

type Service = Pick<NSRecordContent, "value" | "srvPriority" | "srvWeight" | "srvPort">;
type Authorization = Pick<NSRecordContent, "value" | "caaFlag" | "caaTag">;

const SERVICE = /^\s*(\d{1,5})\s+(\d{1,5})\s+(\d{1,5})\s+(\S+)\s*$/;
const AUTHORIZATION = /^\s*(\d{1,3})\s+([a-zA-Z0-9]{1,15})\s+(?:"([^"\\]*)"|([^\s"]+))\s*$/;

/** Reads a SRV value as zone files have it, `0 5 5060 sip.example.com.`, if the request has no fields for its numbers. */
export function wholeService(draft: Service): Service {
  const [, priority, weight, port, value] = SERVICE.exec(draft.value) ?? [];
  if (value === undefined || draft.srvPriority !== 0 || draft.srvWeight !== 0 || draft.srvPort !== 0) return draft;
  return { value, srvPriority: Number(priority), srvWeight: Number(weight), srvPort: Number(port) };
}

/** Reads a CAA value as zone files have it, `0 issue "ca.example.net"`, if the request has no tag. */
export function wholeAuthorization(draft: Authorization): Authorization {
  const [, flag, tag, quoted, bare] = AUTHORIZATION.exec(draft.value) ?? [];
  if (tag === undefined || draft.caaTag.trim() !== "" || draft.caaFlag !== 0) return draft;
  return { value: quoted ?? bare ?? "", caaFlag: Number(flag), caaTag: tag };
}
