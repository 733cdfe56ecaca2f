import { create, toBinary } from "@bufbuild/protobuf";
import type { LogEntry } from "../../../../plugins/http_access_log/contract/log_store.ts";
import { HTTPAccessLogSchema } from "../../../../plugins/http_access_log/proto/service_http_access_log_pb.ts";
import { Random } from "../../../harness/random.ts";

/** 2025-03-10 in UTC, the day of most rows; some belong to the day before or after. */
export const START = 1741564800;
export const DAY = 20250310n;
export const DAYS = [20250309n, DAY, 20250311n] as const;

/** The number of objects of each kind; the first ones have most of the rows. */
export const COUNTS = { servers: 300, users: 40, nodes: 12, clusters: 3, addresses: 5000, policies: 6 } as const;

const METHODS = ["GET", "GET", "GET", "GET", "GET", "GET", "POST", "HEAD", "PUT", "DELETE"];
const STATUSES = [200, 200, 200, 200, 200, 200, 200, 200, 304, 301, 206, 404, 404, 403, 500, 502];
const AGENTS = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/120.0.0.0 Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 Version/17.1",
  "Crawler/1.0 (+https://crawler.test/100%_ours)",
  "curl/8.5.0",
  "",
];
const REFERERS = ["", "", "", "https://search.test/?q=Öl", "https://shop.test/", "android-app://com.shop"];
const PATHS = ["/", "/index.html", "/img/logo.png", "/api/v1/orders", "/wp-login.php", "/suche/Äpfel", "/a_b/c%20d"];
const TAGS = ["slow", "bot", "cc-attack", "50%"];

/** Returns small numbers more often than large ones. */
function skewed(random: Random, count: number): number {
  return Math.floor(count * random.next() ** 3);
}

/** Returns the main host of a server, or another one. */
export function hostOf(server: number, other: number): string {
  return other === 0 ? `shop${server}.test` : `cdn${other}.shop${server}.test`;
}

/** Returns an address; some are IPv6, and some are not addresses. */
export function addressOf(index: number): string {
  if (index % 50 === 49) return index % 100 === 99 ? "unix:" : "";
  if (index % 7 === 6) return `2001:db8::${(index >> 4).toString(16)}:${(index % 16).toString(16)}`;
  return `10.${index >> 10}.${(index >> 5) % 32}.${index % 32}`;
}

/**
 * Yields batches of rows roughly in the order of time, with rows of the day before and after, equal milliseconds, times
 * at the boundaries of days, and changed duplicates in the same or a later batch.
 */
export function* randomBatches(count: number, seed: number): Generator<LogEntry[]> {
  const random = new Random(seed);
  let batch: LogEntry[] = [];
  let size = 1 + random.below(900);
  const sentIds: string[] = [];
  for (let index = 0; index < count; index++) {
    const isDuplicate = sentIds.length > 0 && random.below(100) === 0;
    const requestId = isDuplicate ? random.oneOf(sentIds) : requestIdOf(index, count, random);
    if (random.below(20) === 0) sentIds.push(requestId);
    batch.push(randomEntry(requestId, random));
    if (batch.length < size) continue;
    yield batch;
    batch = [];
    size = 1 + random.below(900);
  }
  if (batch.length > 0) yield batch;
}

let counter = 0;

function requestIdOf(index: number, count: number, random: Random): string {
  const node = 1 + random.below(COUNTS.nodes);
  const serial = 1_000_001 + counter++ % 8_999_999;
  const suffix = random.below(200) === 0 ? random.oneOf(["a", "_x", "-1", ".z", "Z"]) : "";
  return `${millisecondsOf(index, count, random)}${node}${serial}${suffix}`;
}

function millisecondsOf(index: number, count: number, random: Random): number {
  const [first, last] = [START * 1000, (START + 86_400) * 1000 - 1];
  const kind = random.below(1000);
  if (kind === 0) return random.oneOf([first - 1, first, first + 1, last, last + 1]);
  if (kind < 30) return first - 1 - random.below(7_200_000);
  if (kind < 40) return last + 1 + random.below(3_600_000);
  const time = first + Math.floor((last - first) * index / count) - random.below(60_000);
  // many rows share a millisecond
  const exact = kind < 300 ? time - time % 30_000 : time;
  return Math.min(last, Math.max(first, exact));
}

function randomEntry(requestId: string, random: Random): LogEntry {
  const server = 1 + skewed(random, COUNTS.servers);
  const userId = BigInt(server % COUNTS.users);
  const isFirewalled = random.below(33) === 0;
  const requestPath = random.below(500) === 0 ? `/${"long/".repeat(500)}end` : random.oneOf(PATHS);
  const status = random.oneOf(STATUSES);
  const log = create(HTTPAccessLogSchema, {
    requestId,
    serverId: BigInt(server),
    nodeId: BigInt(1 + skewed(random, COUNTS.nodes)),
    remoteAddr: addressOf(skewed(random, COUNTS.addresses)),
    requestPath,
    requestURI: `${requestPath}?id=${random.below(5000)}&Ref=${random.below(9)}`,
    requestMethod: random.oneOf(METHODS),
    scheme: random.oneOf(["https", "https", "http"]),
    proto: random.oneOf(["HTTP/2.0", "HTTP/1.1", "HTTP/3.0"]),
    status,
    host: random.below(300) === 0 ? "Bücher.test:8443" : hostOf(server, random.below(3)).toUpperCase(),
    referer: random.oneOf(REFERERS),
    userAgent: random.oneOf(AGENTS),
    bytesSent: BigInt(random.below(100_000)),
    requestTime: random.below(1000) / 1000,
    header: { Accept: { values: ["*/*"] } },
    tags: random.below(12) === 0 ? random.list(2, () => random.oneOf(TAGS)) : [],
    firewallPolicyId: isFirewalled ? BigInt(1 + skewed(random, COUNTS.policies)) : 0n,
    firewallRuleGroupId: isFirewalled ? BigInt(10 + random.below(4)) : 0n,
    firewallRuleSetId: isFirewalled ? BigInt(100 + random.below(9)) : 0n,
    errors: status >= 500 ? ["the origin did not respond"] : [],
  });
  const requestBody = random.below(20) === 0 ? Uint8Array.from(random.list(80, () => random.below(256))) : NO_BODY;
  const nodeClusterId = BigInt(server % COUNTS.clusters);
  return { requestId, userId, nodeClusterId, log: toBinary(HTTPAccessLogSchema, log), requestBody };
}

const NO_BODY = new Uint8Array();
