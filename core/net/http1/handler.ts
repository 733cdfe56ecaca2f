import type { Limits } from "../../base/limits.ts";
import type { HttpResponse } from "../http_message.ts";
import type { HttpError } from "./error.ts";
import type { Exchange } from "./exchange.ts";

/** Receives the requests of a server, and formats its errors. */
export interface Http1Handler {
  readonly limits: Limits;
  /** Answers a request, now or later; throws nothing. */
  answer(exchange: Exchange): void;
  /** Returns the response to a request that cannot be served as HTTP. */
  errorResponse(error: HttpError): HttpResponse;
  /** Bytes as text, each a character. */
  latin1(bytes: Uint8Array, start: number, end: number): string;
}
