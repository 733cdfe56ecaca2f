import { invalid } from "edgehelm";

const IPV4 = /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?!$)|$)){4}$/;

/** Checks an IP address and answers it as it is written shortest. */
export function addressField(field: string, value: string): string {
  const ip = value.trim().replace(/^\[(.*)\]$/, "$1");
  if (IPV4.test(ip)) return ip;
  const url = /^[0-9a-f:.]*:[0-9a-f:.]*$/i.test(ip) ? `http://[${ip}]/` : "";
  if (URL.canParse(url)) return new URL(url).hostname.slice(1, -1);
  throw invalid(field, `must be an IP address, got "${value.slice(0, 60)}"`);
}
