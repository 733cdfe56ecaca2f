import { ApiError } from "edgehelm/client";
import { askConsole, type SessionInfo } from "../api/console_requests.ts";
import { isRead, type Operation } from "../api/model.ts";
import { type AuditRecord, auditRecord } from "./audit_record.ts";
import { whenReached } from "./connection.ts";
import { forgetToken, operations, session } from "./state.ts";

type Fields = Record<string, unknown>;
interface Options {
  readonly signal?: AbortSignal;
  readonly idempotencyKey: string;
}
type Method = (request: Fields, options: Options) => Promise<Fields>;

/** Calls an operation by its path, such as `NSDomainService/createNSDomain`. */
export function callPath(path: string, request: Fields, signal?: AbortSignal): Promise<Fields> {
  const operation = operations.value.find((candidate) => candidate.path === `/${path}`);
  if (operation === undefined) throw new Error(`${path} is not served, or you may not call it`);
  return call(operation, request, signal);
}

/**
 * Calls an operation that is known only by its descriptor. It waits for a server that cannot be reached. What changes
 * something is recorded for the audit.
 */
export async function call(operation: Operation, request: Fields, signal?: AbortSignal): Promise<Fields> {
  const response = await send(operation, request, signal);
  const record = auditRecord(operation.path, isRead(operation), request, location.hash);
  if (record !== undefined) void keep(record);
  return response;
}

/** The address of this page, as the server sees it. */
let address: Promise<string> | undefined;

/** Keeps a record for the audit, if the installation does. What was done stays done if that fails. */
async function keep(record: AuditRecord): Promise<void> {
  const create = operations.value.find(({ path }) => path === "/LogService/createLog");
  if (create === undefined) return;
  address ??= askConsole<{ readonly sessions: readonly SessionInfo[] }>("list")
    .then(({ sessions }) => sessions.find(({ isCurrent }) => isCurrent)?.address ?? "", () => "");
  await send(create, { ...record, level: "info", ip: await address }).catch(() => undefined);
}

async function send({ service, method }: Operation, request: Fields, signal?: AbortSignal): Promise<Fields> {
  if (session.value === undefined) throw new Error("there is no session");
  const methods = session.value.client.service(service) as unknown as Record<string, Method>;
  // One key for every attempt: what arrived before the connection broke is not done twice.
  const idempotencyKey = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");
  const options = { idempotencyKey, ...signal !== undefined && { signal } };
  const attempt = () => whenReached(() => methods[method.localName]!(request, options), signal);
  try {
    return await attempt();
  } catch (error) {
    // The token ended before its time: the session did, or the person may do something else now.
    if (!(error instanceof ApiError) || error.code !== 401) throw error;
    forgetToken();
    return await attempt();
  }
}
