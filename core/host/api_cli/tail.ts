import { parseArgs } from "node:util";
import { UsageError } from "./exit_codes.ts";
import { printable } from "./output.ts";
import type { Session } from "./session.ts";

const PATH = "/HTTPAccessLogService/listHTTPAccessLogs";
const POLL_MILLISECONDS = 1000;
const PAGE_SIZE = 100;

/** The part of an access log that a line shows. */
interface Log {
  readonly requestId: string;
  readonly timeLocal: string;
  readonly remoteAddr: string;
  readonly requestMethod: string;
  readonly scheme: string;
  readonly host: string;
  readonly requestURI: string;
  readonly status: number;
  readonly bytesSent: number;
  readonly bodyBytesSent: number;
}

/**
 * Prints new access logs, the oldest first, until the signal aborts.
 *
 * @param write takes one line
 * @throws UsageError, or ApiError
 */
export async function tailLogs(
  session: Session,
  args: readonly string[],
  signal: AbortSignal,
  write: (line: string) => void,
): Promise<void> {
  const filter = filterOf(args);
  const list = async (request: object) =>
    logsOf(await session.call(PATH, JSON.stringify({ ...filter, ...request }), { signal }));
  let day = today();
  let newest = await list({ day, size: 10 });
  print(newest, write);
  let cursor = newest[0]?.requestId ?? "";
  while (await pause(signal)) {
    newest = cursor === ""
      ? await list({ day, size: PAGE_SIZE })
      : await list({ day, requestId: cursor, reverse: true, size: PAGE_SIZE });
    print(newest, write);
    cursor = newest[0]?.requestId ?? cursor;
    if (newest.length === 0 && day !== today()) [day, cursor] = [today(), ""];
  }
}

/** Returns the logs of a page, the newest first: the only list with items. */
function logsOf(page: unknown): readonly Log[] {
  return Object.values(page as object).find((value) => Array.isArray(value) && value.length > 0) ?? [];
}

function filterOf(args: readonly string[]): Record<string, unknown> {
  const text = { type: "string" } as const;
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { serverId: text, userId: text, keyword: text, domain: text, ip: text, errors: { type: "boolean" } },
    });
    const { errors, ...others } = values;
    return { ...others, ...errors === true && { hasError: true } };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** The day by which logs are found, such as 20260131. */
function today(): string {
  return new Date().toISOString().slice(0, 10).replaceAll("-", "");
}

function print(logs: readonly Log[], write: (line: string) => void): void {
  for (const log of logs.toReversed()) {
    const { timeLocal, remoteAddr, requestMethod, scheme, host, requestURI, status } = log;
    const bytes = log.bytesSent || log.bodyBytesSent;
    const line = `${timeLocal} ${status} ${remoteAddr} ${requestMethod} ${scheme}://${host}${requestURI} ${bytes}`;
    write(printable(line));
  }
}

/** Waits until the next poll. Returns false if the signal aborted. */
function pause(signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (goesOn: boolean) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      resolve(goesOn);
    };
    const stop = () => end(false);
    const timer = setTimeout(() => end(true), POLL_MILLISECONDS);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
