/** Splits the name of a service or field into its words; `is` and `JSON` say nothing to readers. */
export function partsOf(name: string): string[] {
  return splitWords(name.replace(/(?<=[A-Za-z0-9])JSON$/, "").replace(/^is(?=[A-Z])/, ""));
}

/** Splits `acmeProvider`, `js_cookie` and `allowedIPs` into words. */
export function splitWords(name: string): string[] {
  return name
    .replace(/_/g, " ")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    // the s of several IPs is no word
    .replace(/([A-Z])([A-Z](?!s(?![a-z]))[a-z])/g, "$1 $2")
    .split(" ");
}

/** The spelling of acronyms that are neither upper nor lower case. */
const WRITTEN: Readonly<Record<string, string>> = { doh: "DoH", grpc: "gRPC", http2: "HTTP/2" };
const ACRONYMS = new Set(
  ("acme api caa ca cidr cname cors cpu css db ddos dns eab eb gb html http https ip json kb mb mime mx ns ocsp " +
    "otp pb smtp soa srv ssh ssl syn tb tcp tls tsig ttl txt udp ui uri url xff").split(" "),
);

/** Returns an English word as readers write it: `ip` is `IP`. */
export function englishWord(word: string): string {
  const lower = word.toLowerCase();
  const written = WRITTEN[lower];
  if (written !== undefined) return written;
  if (/^[A-Z]{2,}s?$/.test(word)) return word;
  return ACRONYMS.has(lower) ? lower.toUpperCase() : lower;
}
