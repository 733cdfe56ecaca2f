import type { DescMethod, DescService, MessageInitShape, MessageShape } from "@bufbuild/protobuf";

/** The options of one call. */
export interface CallOptions {
  /** Ends the call, and its retries, when it aborts. */
  readonly signal?: AbortSignal;
  /** Ends the call, and its retries, after this time. */
  readonly timeoutMilliseconds?: number;
  /**
   * Identifies a write, so that repeating it has no second effect, for example after a restart of the client. By default
   * each call has a key of its own, which its retries share.
   */
  readonly idempotencyKey?: string;
}

type Request<Method extends DescMethod> = MessageInitShape<Method["input"]>;
type Response<Method extends DescMethod> = MessageShape<Method["output"]>;

type MethodClient<Method extends DescMethod> = Method["methodKind"] extends "unary"
  ? (request?: Request<Method>, options?: CallOptions) => Promise<Response<Method>>
  : Method["methodKind"] extends "server_streaming"
    ? (request?: Request<Method>, options?: CallOptions) => AsyncIterable<Response<Method>>
  : never;

/** The operations of a service as functions. Streams of a client need gRPC, which fetch cannot carry. */
export type ServiceClient<Service extends DescService> = {
  readonly [Name in keyof Service["method"]]: MethodClient<Service["method"][Name]>;
};
