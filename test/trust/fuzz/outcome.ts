/** The response to a request of the fuzz. */
export interface Outcome {
  /**
   * The code of the envelope, the gRPC status, the code of Connect or the HTTP status. Otherwise `timeout` for a raw
   * request without a timely response, most of which are incomplete, `closed` for a connection closed without a
   * response, `refused` for a connection that was not accepted, and `none` for no response within a minute.
   */
  readonly code: string;
  /** The beginning of the response. */
  readonly text: string;
  readonly milliseconds: number;
  /** True if the server has a defect. */
  readonly isInternal: boolean;
}

const MAX_TEXT = 500;
/** The protocol demands the status of defects for a compressed message in a call without a compression. */
const DEMANDED = /has the compressed flag, but grpc-encoding is identity|received(?: |%20)compressed(?: |%20)envelope/;
const GRPC_DEFECTS = ["2", "13"];
const CONNECT_DEFECTS = ["internal", "unknown"];

/** Reads an HTTP response, in Latin 1. */
export function httpOutcome(response: string, milliseconds: number): Outcome {
  const { code, isInternal } = codeOf(response);
  return { code, isInternal, text: response.slice(0, MAX_TEXT), milliseconds };
}

/** Reads the trailers of a gRPC call. */
export function grpcOutcome(fields: ReadonlyMap<string, string>, milliseconds: number): Outcome {
  const status = fields.get("grpc-status");
  const text = fields.get("grpc-message") ?? "";
  const http = fields.get(":status");
  const code = status !== undefined ? status : http !== undefined ? `http ${http}` : "reset";
  return { code, text, milliseconds, isInternal: isDefect(GRPC_DEFECTS, status, text) };
}

/** Creates the outcome if there was no response. */
export function noOutcome(code: "closed" | "timeout" | "refused" | "none", milliseconds: number): Outcome {
  return { code, text: "", milliseconds, isInternal: false };
}

function codeOf(response: string): Pick<Outcome, "code" | "isInternal"> {
  const envelope = /\r\n\r\n\s*\{\s*"code": ?(\d+),/.exec(response)?.[1];
  if (envelope !== undefined) return { code: envelope, isInternal: envelope === "500" };
  const grpc = /grpc-status: *(\d+)/i.exec(response)?.[1];
  if (grpc !== undefined) return { code: `grpc ${grpc}`, isInternal: isDefect(GRPC_DEFECTS, grpc, response) };
  const connect = /(?:\r\n\r\n|"error":)\{"code":"([a-z_]+)"/.exec(response)?.[1];
  if (connect !== undefined) return { code: connect, isInternal: isDefect(CONNECT_DEFECTS, connect, response) };
  const status = /HTTP\/1\.1 (\d+) (?!Continue)/.exec(response)?.[1];
  return { code: status ?? "garbled", isInternal: status === "500" };
}

function isDefect(codes: readonly string[], code: string | undefined, text: string): boolean {
  return code !== undefined && codes.includes(code) && !DEMANDED.test(text);
}
