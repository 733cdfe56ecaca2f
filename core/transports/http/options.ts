import type { MessageCodings } from "../rpc/codings.ts";
import type { Compress, Decompress } from "./compression.ts";

/** The settings of the HTTP transport. */
export interface HttpOptions {
  /** The HTTP status of failed operations. `ok` is 200, which existing clients need; `mirror` is the envelope's code. */
  readonly errorStatus: "ok" | "mirror";
  /** The allowed origins for CORS; empty disables CORS. */
  readonly corsOrigins: readonly string[];
  /** True if a reverse proxy forwards the client's address. */
  readonly behindProxy: boolean;
  readonly compress: Compress;
  readonly decompress: Decompress;
  /** The codings of messages of gRPC-Web and Connect. Defaults to those of every fetch runtime. */
  readonly codings?: MessageCodings | undefined;
  /** Returns the reason why the server cannot serve calls now, for /readyz; undefined if it can. */
  readonly notReady: () => Promise<string | undefined>;
  /** The text of /metrics, and the token that its readers send; undefined disables the page. */
  readonly metrics?: { readonly text: () => Promise<string>; readonly token: string } | undefined;
}
