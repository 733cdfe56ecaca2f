import type { CallMetadata, Dispatch } from "../../calls/dispatch.ts";
import { kernelErrors, RpcError } from "../../base/errors.ts";
import type { Http2Stream, StreamSink } from "../../net/http2/stream.ts";
import { encodeHeaderBlock } from "../../net/hpack/encoder.ts";
import type { Limits } from "../../base/limits.ts";
import { messageLimit, type Operation } from "../../calls/operation.ts";
import type { RequestScope } from "../../storage/request_scope.ts";
import type { Gzip } from "./codec.ts";
import { MessageReader } from "./message_reader.ts";
import type { RequestHead } from "./request_head.ts";
import { failureTrailers, GrpcError, trailersOnly } from "./status.ts";

/** What all calls of a server share. */
export interface CallDeps {
  readonly dispatch: Dispatch;
  readonly gzip: Gzip;
  readonly limits: Limits;
}

/** One call on its stream. What differs between unary and streaming calls stands in the classes that extend it. */
export abstract class GrpcCall implements StreamSink, CallMetadata {
  readonly token: string | undefined;
  readonly requestId: string;
  readonly remoteAddress: string;
  readonly deadline: number | undefined;
  protected readonly deps: CallDeps;
  protected readonly operation: Operation;
  protected readonly stream: Http2Stream;
  protected readonly isGzip: boolean;
  protected readonly reader: MessageReader;
  /** The most bytes that a message may have, sent and decompressed. */
  protected readonly messageBytes: number;
  #scope: RequestScope | undefined;
  #isAborted = false;

  constructor(deps: CallDeps, operation: Operation, stream: Http2Stream, head: RequestHead) {
    this.deps = deps;
    this.operation = operation;
    this.stream = stream;
    this.token = head.token;
    this.requestId = head.requestId;
    this.remoteAddress = head.remoteAddress;
    this.deadline = head.deadline;
    this.isGzip = head.isGzip;
    this.messageBytes = messageLimit(operation, deps.limits);
    this.reader = new MessageReader(this.messageBytes, (isCompressed, bytes) => this.message(isCompressed, bytes));
  }

  onScope(scope: RequestScope): void {
    this.#scope = scope;
    if (this.#isAborted) scope.cancel();
  }

  data(bytes: Uint8Array, isLast: boolean): void {
    if (this.stream.isAnswered) return;
    try {
      const before = this.reader.partialBytes;
      this.reader.push(bytes, isLast);
      this.hold(this.reader.partialBytes - before);
      if (!isLast) this.received(bytes.length);
    } catch (error) {
      this.refuse(error);
    }
  }

  end(): void {
    if (this.stream.isAnswered) return;
    if (this.reader.isInsideMessage) this.refuse(kernelErrors.malformed("the last message is not whole"));
    else this.complete();
  }

  aborted(): void {
    this.#isAborted = true;
    this.#scope?.cancel();
    this.dropped();
  }

  writable(): void {}

  protected abstract message(isCompressed: boolean, bytes: Uint8Array): void;
  /** So many bytes of the body came, and more will follow. */
  protected abstract received(count: number): void;
  /** The request is complete. */
  protected abstract complete(): void;
  /** The caller is gone. */
  protected abstract dropped(): void;

  /** Counts what is kept of the request, whole messages and the one that is not. */
  protected hold(bytes: number): void {
    if (bytes !== 0 && !this.stream.hold(bytes) && bytes > 0) {
      throw kernelErrors.exhausted("the requests of this connection hold too much memory");
    }
  }

  /** Ends a call that cannot be run, or go on. */
  protected refuse(error: unknown): void {
    this.fail(error);
    this.dropped();
  }

  /** Sends how the call failed; alone, unless messages went before. */
  protected fail(thrown: unknown, hasSentHeaders = false): void {
    const { deps, operation, requestId, stream } = this;
    const isKnown = thrown instanceof RpcError || thrown instanceof GrpcError;
    const trailers = failureTrailers(
      isKnown ? thrown : deps.dispatch.toRpcError(thrown, operation, requestId),
      requestId,
    );
    stream.sendTrailers(hasSentHeaders ? encodeHeaderBlock(trailers) : trailersOnly(trailers, requestId));
  }
}
