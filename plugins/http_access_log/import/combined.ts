import { type LoggedRequest, target } from "./line_format.ts";

const QUOTED = '"((?:[^"\\\\]|\\\\.)*)"';
/** `host:port` stands in front where Apache writes vhost_combined; what follows the user agent is not looked at. */
const LINE = new RegExp(
  `^(?:([^\\s:]+):(\\d{1,5}) )?(\\S+) \\S+ (\\S+) \\[([^\\]]{20,30})\\] ${QUOTED} (\\d{3}) (\\d+|-)(?: ${QUOTED} ${QUOTED})?`,
);
const TIME = /^(\d{2})\/([A-Z][a-z]{2})\/(\d{4}):(\d{2}):(\d{2}):(\d{2}) ([+-])(\d{2})(\d{2})$/;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const REQUEST = /^([A-Z][A-Z-]*) (\S.*?) (HTTP\/\d(?:\.\d)?)$/;

/** A line as nginx and Apache write it: common, combined or vhost_combined. */
export function combinedLine(line: string): LoggedRequest | undefined {
  const match = LINE.exec(line);
  if (match === null) return undefined;
  const [, host, port, remoteAddr, remoteUser = "-", time = "", request = "", status, size, referer, userAgent] = match;
  const at = timeOf(time);
  if (at === undefined) return undefined;
  const asked = unescaped(request);
  const [, requestMethod = "", uri, proto = ""] = REQUEST.exec(asked) ?? [];
  const bytes = size === "-" ? 0 : Number(size);
  return {
    at,
    log: {
      remoteAddr: remoteAddr!,
      rawRemoteAddr: remoteAddr!,
      remoteUser: dashed(remoteUser),
      timeLocal: time,
      request: asked,
      requestMethod,
      proto,
      ...host !== undefined && { host, serverPort: Number(port) },
      ...uri !== undefined && target(uri),
      status: Number(status),
      bodyBytesSent: bytes,
      referer: dashed(unescaped(referer ?? "")),
      userAgent: dashed(unescaped(userAgent ?? "")),
    },
  };
}

/** `10/Oct/2000:13:55:36 -0700` as unix milliseconds. */
function timeOf(text: string): number | undefined {
  const [, day, name, year, hour, minute, second, sign, hours, minutes] = TIME.exec(text) ?? [];
  const month = MONTHS.indexOf(name ?? "");
  if (month < 0) return undefined;
  const time = Date.UTC(Number(year), month, Number(day), Number(hour), Number(minute), Number(second));
  if (new Date(time).getUTCDate() !== Number(day) || Number(hour) > 23 || Number(minute) > 59) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return sign === "-" ? time + offset : time - offset;
}

/** What was left empty is written as a dash. */
function dashed(text: string): string {
  return text === "-" ? "" : text;
}

const PLAIN: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", v: "\v", f: "\f" };
const decoder = new TextDecoder();

/** Takes back what servers put for signs that could break a line: `\"`, `\\`, `\n` and `\xHH`. */
function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(/(?:\\x[0-9a-f]{2})+|\\(.)/gi, (sequence, sign: string | undefined) => {
    if (sign !== undefined) return PLAIN[sign] ?? sign;
    const bytes = sequence.match(/[0-9a-f]{2}(?=\\|$)/gi)!.map((pair) => Number.parseInt(pair, 16));
    return decoder.decode(Uint8Array.from(bytes)).replaceAll("\0", "\ufffd");
  });
}
