import { type LoggedRequest, target } from "./line_format.ts";

const QUOTED = '"((?:[^"\\\\]|\\\\.)*)"';
/** Apache's vhost_combined begins with `host:port`. Anything after the user agent is ignored. */
const LINE = new RegExp(
  `^(?:([^\\s:]+):(\\d{1,5}) )?(\\S+) \\S+ (\\S+) \\[([^\\]]{20,30})\\] ${QUOTED} (\\d{3}) (\\d+|-)(?: ${QUOTED} ${QUOTED})?`,
);
const TIME = /^(\d{2})\/([A-Z][a-z]{2})\/(\d{4}):(\d{2}):(\d{2}):(\d{2}) ([+-])(\d{2})(\d{2})$/;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const REQUEST = /^([A-Z][A-Z-]*) (\S.*?) (HTTP\/\d(?:\.\d)?)$/;

/** Parses a line of nginx or Apache in the format common, combined or vhost_combined. */
export function combinedLine(line: string): LoggedRequest | undefined {
  const match = LINE.exec(line);
  if (match === null) return undefined;
  const [, host, port, remoteAddr, remoteUser = "-", time = "", request = "", status, size, referer, userAgent] = match;
  const at = timeOf(time);
  if (at === undefined) return undefined;
  const requestLine = unescaped(request);
  const [, requestMethod = "", uri, proto = ""] = REQUEST.exec(requestLine) ?? [];
  const bytes = size === "-" ? 0 : Number(size);
  return {
    at,
    log: {
      remoteAddr: remoteAddr!,
      rawRemoteAddr: remoteAddr!,
      remoteUser: withoutDash(remoteUser),
      timeLocal: time,
      request: requestLine,
      requestMethod,
      proto,
      ...host !== undefined && { host, serverPort: Number(port) },
      ...uri !== undefined && target(uri),
      status: Number(status),
      bodyBytesSent: bytes,
      referer: withoutDash(unescaped(referer ?? "")),
      userAgent: withoutDash(unescaped(userAgent ?? "")),
    },
  };
}

/** Converts a time such as `10/Oct/2000:13:55:36 -0700` to unix milliseconds. */
function timeOf(text: string): number | undefined {
  const [, day, name, year, hour, minute, second, sign, hours, minutes] = TIME.exec(text) ?? [];
  const month = MONTHS.indexOf(name ?? "");
  if (month < 0) return undefined;
  const time = Date.UTC(Number(year), month, Number(day), Number(hour), Number(minute), Number(second));
  if (new Date(time).getUTCDate() !== Number(day) || Number(hour) > 23 || Number(minute) > 59) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return sign === "-" ? time + offset : time - offset;
}

/** Converts the dash that stands for an empty value. */
function withoutDash(text: string): string {
  return text === "-" ? "" : text;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", v: "\v", f: "\f" };
const decoder = new TextDecoder();

/** Decodes the escape sequences of quoted values: `\"`, `\\`, `\n` and `\xHH`. */
function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(/(?:\\x[0-9a-f]{2})+|\\(.)/gi, (sequence, character: string | undefined) => {
    if (character !== undefined) return ESCAPES[character] ?? character;
    const bytes = sequence.match(/[0-9a-f]{2}(?=\\|$)/gi)!.map((pair) => Number.parseInt(pair, 16));
    return decoder.decode(Uint8Array.from(bytes)).replaceAll("\0", "\ufffd");
  });
}
