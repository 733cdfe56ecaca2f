import type { Compress, Decompress } from "./compression.ts";

/** The settings of the HTTP transport. */
export interface HttpOptions {
  /** `ok`: failures of operations have HTTP status 200, as existing clients need; `mirror`: the envelope's code. */
  readonly errorStatus: "ok" | "mirror";
  /** Origins that browsers may call from; empty turns CORS off. */
  readonly corsOrigins: readonly string[];
  /** True when a reverse proxy stands in front, whose word on where a request comes from is taken. */
  readonly behindProxy: boolean;
  readonly compress: Compress;
  readonly decompress: Decompress;
  /** What /readyz answers: why calls should not come here now, or undefined. */
  readonly notReady: () => Promise<string | undefined>;
  /** The text of /metrics; undefined hides the page. */
  readonly metricsText?: (() => Promise<string>) | undefined;
}
