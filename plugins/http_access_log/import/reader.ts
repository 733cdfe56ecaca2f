import { type JsonObject, toBinary } from "@bufbuild/protobuf";
import { invalid } from "edgehelm";
import { jsonCodec } from "edgehelm/wire";
import type { UploadTimes } from "../../node_base/contract.ts";
import { type ReceivedLog, receivedLog } from "../intake/received.ts";
import { HTTPAccessLogSchema } from "../proto/service_http_access_log_pb.ts";
import { caddyLine } from "./caddy.ts";
import { combinedLine } from "./combined.ts";
import type { LineFormat } from "./line_format.ts";

/** Values for fields that the logs of other servers lack. */
export interface ImportDefaults {
  readonly serverId: bigint;
  readonly nodeId: bigint;
  /** Used if the line does not name a host. */
  readonly host: string;
  readonly scheme: string;
}

/** The formats that can be imported; "edgehelm" is the format of an export. */
export const FORMATS = ["combined", "caddy", "edgehelm"] as const;
export type Format = (typeof FORMATS)[number];

const LINE_FORMATS: Readonly<Record<Exclude<Format, "edgehelm">, LineFormat>> = {
  combined: combinedLine,
  caddy: caddyLine,
};
const codec = jsonCodec(HTTPAccessLogSchema);

/** Reads the lines of one log. */
export class LogReader {
  readonly #defaults: ImportDefaults;
  readonly #times: UploadTimes;
  #format: Format | undefined;
  /** The number of identical lines at the current time, so that repeated requests get distinct ids. */
  readonly #repeats = new Map<string, number>();
  #repeatsAt = 0;

  /**
   * @param format undefined to detect it by the first line
   * @param times the accepted times
   */
  constructor(format: Format | undefined, defaults: ImportDefaults, times: UploadTimes) {
    this.#format = format;
    this.#defaults = defaults;
    this.#times = times;
  }

  /** @throws RpcError for a malformed or invalid line */
  read(line: string): ReceivedLog {
    const format = this.#format ??= formatOf(line);
    const json = format === "edgehelm" ? JSON.parse(line) as JsonObject : this.#convert(format, line);
    const log = codec.decode(json);
    return receivedLog("log", toBinary(HTTPAccessLogSchema, log), undefined, this.#times);
  }

  #convert(format: Exclude<Format, "edgehelm">, line: string): JsonObject {
    const read = LINE_FORMATS[format](line);
    if (read === undefined) throw invalid("line", `must have the format "${format}"`);
    const { at, log } = read;
    const { serverId, nodeId, host, scheme } = this.#defaults;
    return {
      ...{ host, scheme, ...log, serverId: String(serverId), nodeId: String(nodeId) },
      ...{ timestamp: Math.floor(at / 1000), timeISO8601: new Date(at).toISOString() },
      requestId: this.#requestId(at, line),
    };
  }

  /** Derives the id from the time and the line, so that importing a file again creates no duplicates. */
  #requestId(at: number, line: string): string {
    if (at !== this.#repeatsAt) this.#repeats.clear();
    this.#repeatsAt = at;
    const repeat = this.#repeats.get(line) ?? 0;
    this.#repeats.set(line, repeat + 1);
    return `${String(at).padStart(13, "0")}${this.#defaults.nodeId}${hashOf(line, repeat)}`;
  }
}

function formatOf(line: string): Format {
  if (!line.startsWith("{")) return "combined";
  return line.includes('"requestId"') && !line.includes('"request":{') ? "edgehelm" : "caddy";
}

/** A 53-bit hash of a line (cyrb53) as 14 hexadecimal digits. */
function hashOf(text: string, seed: number): string {
  let [high, low] = [0xdeadbeef ^ seed, 0x41c6ce57 ^ seed];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ high >>> 16, 2246822507) ^ Math.imul(low ^ low >>> 13, 3266489909);
  low = Math.imul(low ^ low >>> 16, 2246822507) ^ Math.imul(high ^ high >>> 13, 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(16).padStart(14, "0");
}
