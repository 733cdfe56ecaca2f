/** Acronyms and names that Chinese readers know, as they are written. */
const PROPER = new Set(
  `
  ACME API B CA CAA CIDR CNAME CORS CPU CSS DDoS DNS DNSKEY DNSSEC DS DoH EAB EB GB GET HTML HTTP HTTPS ID IP ISO JS JSON KB LFU MB MIME
  MX NS OCSP PB POST PROXY REST S3 SMTP SOA SQL SRV SSH SSL SYN TB TCP TLS TSIG TTL TXT UDP URI URL XSS ZSK
  Base64 ClickHouse Cookie Nftables Telegram Web WebSocket chrony gRPC root sendfile systemd
  Cache-Control If-Modified-Since If-None-Match Pragma Set-Cookie X-Forwarded-For 40X 50X
  HMAC-SHA1 HMAC-SHA224 HMAC-SHA256 HMAC-SHA384 HMAC-SHA512 SHA-256
`.trim().split(/\s+/),
);
const LATIN_WORD = /[\w-]*[A-Za-z][\w-]*/g;

/** Returns the words of a Chinese text that are in another language. */
export function foreignWords(text: string): string[] {
  return (text.match(LATIN_WORD) ?? []).filter((word) => !PROPER.has(word));
}

/** Returns a text without the names that are the same in every language. */
export function withoutProperNames(text: string): string {
  return text.replace(LATIN_WORD, (word) => PROPER.has(word) ? "" : word);
}
