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
import { errorTrailers, GrpcError, trailersOnly } from "./status.ts";

/** The dependencies that all calls of a server share. */
export interface CallDeps {
  readonly dispatch: Dispatch;
  readonly gzip: Gzip;
  readonly limits: Limits;
}

/** A call on its HTTP/2 stream. The subclasses implement unary and streaming calls. */
export abstract class GrpcCall implements StreamSink, CallMetadata {
  readonly token: string | undefined;
  readonly requestId: string;
  readonly remoteAddress: string;
  readonly deadline: number | undefined;
  protected readonly idempotencyKey: string | undefined;
  protected readonly deps: CallDeps;
  protected readonly operation: Operation;
  protected readonly stream: Http2Stream;
  protected readonly isGzip: boolean;
  protected readonly reader: MessageReader;
  /** The limit for a message in bytes, which applies before and after decompression. */
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
    this.idempotencyKey = head.idempotencyKey;
    this.isGzip = head.isGzip;
    this.messageBytes = messageLimit(operation, deps.limits);
    this.reader = new MessageReader(this.messageBytes, (isCompressed, bytes) => this.message(isCompressed, bytes));
  }

  onScope(scope: RequestScope): void {
    this.#scope = scope;
    if (this.#isAborted) scope.cancel();
  }

  data(bytes: Uint8Array, isLast: boolean): void {
    if (this.stream.hasResponded) return;
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
    if (this.stream.hasResponded) return;
    if (this.reader.isInsideMessage) this.refuse(kernelErrors.malformed("the last message is incomplete"));
    else this.complete();
  }

  aborted(): void {
    this.#isAborted = true;
    this.#scope?.cancel();
    this.dropped();
  }

  writable(): void {}

  /** Called for each complete message. */
  protected abstract message(isCompressed: boolean, bytes: Uint8Array): void;
  /** Called when `count` bytes of the body have arrived, and more will follow. */
  protected abstract received(count: number): void;
  /** Called when the request is complete. */
  protected abstract complete(): void;
  /** Called when the caller has disconnected or the call was refused. */
  protected abstract dropped(): void;

  /** Counts the memory that the request holds, including an incomplete message. */
  protected hold(bytes: number): void {
    if (bytes !== 0 && !this.stream.hold(bytes) && bytes > 0) {
      throw kernelErrors.exhausted("the requests of this connection hold too much memory");
    }
  }

  /** Ends the call with an error, before or while it runs. */
  protected refuse(error: unknown): void {
    this.fail(error);
    this.dropped();
  }

  /** Sends the status of a failed call: in trailers, or without any message as trailers only. */
  protected fail(thrown: unknown, hasSentHeaders = false): void {
    const { deps, operation, requestId, stream } = this;
    const error = thrown instanceof RpcError || thrown instanceof GrpcError
      ? thrown
      : deps.dispatch.toRpcError(thrown, operation, requestId);
    const trailers = errorTrailers(error, requestId);
    stream.sendTrailers(hasSentHeaders ? encodeHeaderBlock(trailers) : trailersOnly(trailers, requestId));
  }
}
