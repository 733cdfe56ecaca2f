/** The status and the header fields of a response. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** The reason phrases of the status codes in use. Other codes are sent without one, as RFC 9112 allows. */
const PHRASES: Readonly<Record<number, string>> = {
  200: "OK",
  204: "No Content",
  301: "Moved Permanently",
  302: "Found",
  304: "Not Modified",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  417: "Expectation Failed",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  501: "Not Implemented",
  503: "Service Unavailable",
  504: "Gateway Timeout",
  505: "HTTP Version Not Supported",
};
/** The headers that the connection sets itself. */
const CONNECTION_HEADERS = new Set(["connection", "keep-alive", "content-length", "transfer-encoding", "date"]);

let dateSecond = -1;
let dateLine = "";

/** Cached, because formatting a date is expensive and many responses share a second. */
function dateOf(now: number): string {
  const second = Math.floor(now / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateLine = `date: ${new Date(now).toUTCString()}\r\n`;
  }
  return dateLine;
}

/** Formats the status line and the header fields, without the empty line. `more` consists of complete lines. */
export function headText({ status, headers }: ResponseHead, more: string, now: number): string {
  let text = `HTTP/1.1 ${status} ${PHRASES[status] ?? ""}\r\n${dateOf(now)}${more}`;
  for (const [name, value] of headers) if (!CONNECTION_HEADERS.has(name)) text += `${name}: ${value}\r\n`;
  return text;
}

/** Returns true if responses with this status have neither a body nor a content-length. */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 304 || status < 200;
}
