import { dayOf } from "../../../../plugins/http_access_log/contract/request_time.ts";
import { wholeDay } from "../../../plugins/http_access_log/stores/filters.ts";
import type { LogEntry } from "../../../../plugins/http_access_log/contract/log_store.ts";

/** Rows of one day, in the order of time: the generator of the measurements that this store was designed by. */
export const DAY_START = Date.UTC(2026, 5, 1);
const DAY_MILLISECONDS = 86_400_000;
export const DAY = 20260601n;
/** Sites that have rows. */
export const SERVERS = 1000;
const BODY_SHARE = 100;
/** More than a row takes. */
const MAX_ROW_BYTES = 2000;
const NO_BODY = new Uint8Array();

const AGENTS = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "curl/8.5.0",
  "okhttp/4.12.0",
];
const PATHS = [
  "/",
  "/index.html",
  "/api/v1/items",
  "/static/js/app.js",
  "/static/css/main.css",
  "/images/logo.png",
  "/login",
  "/cart",
  "/search",
  "/product",
];
const HEADERS = [["Accept-Encoding", "gzip, deflate, br"], ["Accept-Language", "en-US,en;q=0.9"]] as const;
const BODY = new TextEncoder().encode(JSON.stringify({ order: 4711, items: Array.from({ length: 20 }, (_, n) => n) }));

/** The values of a row, to ask for it later. */
export interface LogRow {
  readonly requestId: string;
  readonly serverId: number;
  readonly nodeId: number;
  readonly userId: number;
  readonly status: number;
  readonly ip: string;
  readonly host: string;
  readonly firewallPolicyId: number;
  readonly uri: string;
  readonly agent: string;
  readonly milliseconds: number;
}

/** Makes rows from a seed; the same seed makes the same rows. */
export class LogRows {
  readonly #total: number;
  #state = 123456789;
  #next = 0;
  #bytes = new Uint8Array(1 << 19);
  #at = 0;

  /** @param total rows of the whole day */
  constructor(total: number) {
    this.#total = total;
  }

  row(): LogRow {
    const index = this.#next++;
    const milliseconds = DAY_START + Math.floor(index * DAY_MILLISECONDS / this.#total);
    const nodeId = 1 + this.#below(40);
    const serverId = 1 + this.#skewed(SERVERS);
    const host = `www.site${serverId * 5 + this.#below(5)}.com`;
    const x = this.#skewed(1 << 20);
    const ip = `${11 + (x >>> 16)}.${x >>> 8 & 255}.${x & 255}.${x * 7 & 255}`;
    const draw = this.#below(1000);
    const status = draw < 960 ? 200 : draw < 975 ? 304 : draw < 990 ? 404 : draw < 995 ? 403 : 502;
    const firewallPolicyId = this.#below(200) === 0 ? 1 + this.#below(5) : 0;
    const uri = `${PATHS[this.#below(10)]}?id=${this.#below(1e6).toString(36)}&s=${this.#draw().toString(36)}`;
    const requestId = `${milliseconds}${String(nodeId).padStart(4, "0")}${String(index % 1e6).padStart(6, "0")}`;
    const agent = AGENTS[this.#below(5)]!;
    const userId = 1 + serverId % 100;
    return { requestId, serverId, nodeId, userId, status, ip, host, firewallPolicyId, uri, agent, milliseconds };
  }

  /** Logs lie in one piece of memory, as those of one message do. */
  batch(size: number): LogEntry[] {
    this.#at = 0;
    const rows = Array.from({ length: size }, () => this.row());
    const ends = rows.map((row) => this.#encode(row));
    const bytes = this.#bytes.slice(0, this.#at);
    return rows.map(({ requestId, userId, nodeId }, index) => ({
      requestId,
      userId: BigInt(userId),
      nodeClusterId: BigInt(1 + nodeId % 4),
      log: bytes.subarray(index === 0 ? 0 : ends[index - 1]!, ends[index]),
      requestBody: index % BODY_SHARE === 0 ? BODY : NO_BODY,
    }));
  }

  /** Returns the end of what it wrote. */
  #encode(row: LogRow): number {
    if (this.#bytes.length - this.#at < MAX_ROW_BYTES) {
      const grown = new Uint8Array(this.#bytes.length * 2);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    const path = row.uri.slice(0, row.uri.indexOf("?"));
    this.#number(1, row.serverId);
    this.#number(2, row.nodeId);
    this.#text(6, row.ip);
    this.#text(7, row.ip);
    this.#text(10, row.uri);
    this.#text(11, path);
    this.#double(13, row.milliseconds % 97 / 1000);
    this.#text(14, "GET");
    this.#text(16, "https");
    this.#text(17, "HTTP/2.0");
    this.#number(18, 1000 + row.milliseconds % 50000);
    this.#number(20, row.status);
    this.#double(25, row.milliseconds / 1000);
    this.#number(26, Math.floor(row.milliseconds / 1000));
    this.#text(27, row.host);
    this.#text(28, `https://${row.host}/`);
    this.#text(29, row.agent);
    for (const [name, value] of HEADERS) this.#header(36, name, value);
    if (row.firewallPolicyId > 0) this.#number(44, row.firewallPolicyId);
    this.#text(48, row.requestId);
    return this.#at;
  }

  #header(field: number, name: string, value: string): void {
    this.#varint(field << 3 | 2);
    this.#varint(name.length + value.length + 6);
    this.#text(1, name);
    this.#varint(2 << 3 | 2);
    this.#varint(value.length + 2);
    this.#text(1, value);
  }

  #number(field: number, value: number): void {
    this.#varint(field << 3);
    this.#varint(value);
  }

  #double(field: number, value: number): void {
    this.#varint(field << 3 | 1);
    new DataView(this.#bytes.buffer).setFloat64(this.#at, value, true);
    this.#at += 8;
  }

  #text(field: number, text: string): void {
    this.#varint(field << 3 | 2);
    this.#varint(text.length);
    for (let index = 0; index < text.length; index++) this.#bytes[this.#at++] = text.charCodeAt(index);
  }

  #varint(value: number): void {
    let rest = value;
    for (; rest >= 0x80; rest >>>= 7) this.#bytes[this.#at++] = rest & 0x7f | 0x80;
    this.#bytes[this.#at++] = rest;
  }

  #draw(): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return this.#state >>> 0;
  }

  #below(count: number): number {
    return this.#draw() % count;
  }

  /** Small numbers far more often than large ones. */
  #skewed(count: number): number {
    return Math.floor(count * (this.#draw() / 4294967296) ** 3);
  }
}

/** A filter of the whole day that asks for nothing else. */
export const WHOLE_DAY = wholeDay(dayOf(String(DAY_START / 1000)));
