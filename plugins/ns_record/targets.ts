import { asciiHost } from "./names.ts";

const ROOT = ".";

/**
 * Returns the value of a record as nodes and zone files have it: every name in it is fully qualified, in lower-case
 * ASCII, with a final dot. As written, a name of one label is below the domain, and all others are already complete.
 */
export function qualifiedValue({ type, value }: { readonly type: string; readonly value: string }, domain: string) {
  switch (type) {
    case "CNAME":
    case "NS":
    case "PTR":
    case "MX":
    case "SRV":
      return qualifiedName(value, domain);
    case "SOA": {
      const [server = "", mailbox = "", ...numbers] = value.split(" ");
      return [qualifiedName(server, domain), qualifiedName(mailbox, domain), ...numbers].join(" ");
    }
    case "HTTPS":
    case "SVCB": {
      const [priority = "", target = "", ...parameters] = value.split(" ");
      return [priority, qualifiedName(target, domain), ...parameters].join(" ");
    }
    default:
      return value;
  }
}

function qualifiedName(written: string, domain: string): string {
  if (written === ROOT) return written;
  const name = asciiHost(written);
  if (name.endsWith(".")) return name;
  return name.includes(".") ? `${name}.` : `${name}.${domain}.`;
}
