import type { Limits } from "../../base/limits.ts";
import type { HttpResponse } from "../http_message.ts";
import type { HttpError } from "./error.ts";
import type { Exchange } from "./exchange.ts";

/** Receives the requests of a server, and formats its errors. */
export interface Http1Handler {
  readonly limits: Limits;
  /** Handles a request and responds to it, now or later. Must not throw. */
  handle(exchange: Exchange): void;
  /** Returns the response to a request that cannot be served as HTTP. */
  errorResponse(error: HttpError): HttpResponse;
  /** Decodes bytes as Latin-1. */
  latin1(bytes: Uint8Array, start: number, end: number): string;
}
