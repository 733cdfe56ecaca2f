import { type Call, RpcError } from "edgehelm";
import type { ReceiveHandler } from "edgehelm/runtime";
import { errors } from "../errors.ts";
import { requireOwnPage } from "./own_pages.ts";

/** The fields of a request of a page. */
export type Fields = Readonly<Record<string, unknown>>;

/** The result of a handler: the data, and the cookie if it changes. */
export interface Answer {
  readonly data: object;
  readonly cookie?: string;
}

/** The codes of errors that the caller can cause, as the envelopes of operations have them. */
const CODES: Partial<Record<RpcError["kind"], number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  exhausted: 429,
};

/**
 * Handles requests of the console's own pages. Responses are envelopes like those of operations, with the HTTP status 200
 * for what people cause, because browsers report every other status as an error of the page.
 */
export function fromOwnPage(handle: (request: Request, fields: Fields, call: Call) => Promise<Answer>): ReceiveHandler {
  return async (request, call) => {
    try {
      requireOwnPage(request);
      const { data, cookie } = await handle(request, await fieldsOf(request), call);
      return envelope({ code: 200, data, message: "ok" }, cookie);
    } catch (error) {
      const code = error instanceof RpcError ? CODES[error.kind] : undefined;
      if (!(error instanceof RpcError) || code === undefined) throw error;
      return envelope({ code, data: {}, message: error.message, reason: error.reason });
    }
  };
}

function envelope(body: object, cookie?: string): Response {
  const headers = new Headers({ "content-type": "application/json; charset=utf-8", "cache-control": "no-store" });
  if (cookie !== undefined) headers.set("set-cookie", cookie);
  return new Response(JSON.stringify(body), { headers });
}

async function fieldsOf(request: Request): Promise<Fields> {
  let fields: unknown;
  try {
    fields = JSON.parse(await request.text());
  } catch {
    throw errors.malformed("it is not JSON");
  }
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) throw errors.malformed("it is no object");
  return fields as Fields;
}

/** Returns a text of a request; one that is absent is empty. */
export function text(fields: Fields, name: string, max: number): string {
  const value = fields[name] ?? "";
  if (typeof value !== "string") throw errors.field(name, `must be a text, got ${typeof value}`);
  if (value.length > max) throw errors.field(name, `must have at most ${max} characters, got ${value.length}`);
  return value;
}
