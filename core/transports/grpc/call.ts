import type { CallMetadata, Dispatch } from "../../calls/dispatch.ts";
import { concatBytes } from "../../base/bytes.ts";
import type { MetadataField } from "../../base/metadata.ts";
import type { CallMetadataFields } from "../../net/metadata/call_metadata.ts";
import { kernelErrors, RpcError } from "../../base/errors.ts";
import type { Http2Stream, StreamSink } from "../../net/http2/stream.ts";
import { encodeHeaderBlock } from "../../net/hpack/encoder.ts";
import type { Limits } from "../../base/limits.ts";
import { messageLimit, type Operation } from "../../calls/operation.ts";
import type { RequestScope } from "../../storage/request_scope.ts";
import type { MessageCodings } from "../rpc/codings.ts";
import { binaryFormat, type MessageFormat } from "../rpc/message_format.ts";
import { MessageReader } from "./message_reader.ts";
import type { RequestHead } from "./request_head.ts";
import type { ResponseHeads } from "./response_heads.ts";
import { errorTrailers, GrpcError, OK_TRAILERS, okTrailers } from "./status.ts";

/** The dependencies that all calls of a server share. */
export interface CallDeps {
  readonly dispatch: Dispatch;
  readonly codings: MessageCodings;
  readonly heads: ResponseHeads;
  /** The format of `application/grpc+json`. */
  readonly json: MessageFormat;
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
  protected readonly head: RequestHead;
  protected readonly format: MessageFormat;
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
    this.head = head;
    this.format = head.isJson ? deps.json : binaryFormat;
    this.messageBytes = messageLimit(operation, deps.limits);
    this.reader = new MessageReader(this.messageBytes, (isCompressed, bytes) => this.message(isCompressed, bytes));
  }

  *fields(): Iterable<MetadataField> {
    for (const { name, value } of this.head.fields) yield [name, value];
  }

  /** The metadata of the call if its handler has used it. */
  protected get metadata(): CallMetadataFields | undefined {
    return this.#scope?.usedMetadata;
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
    const { metadata } = this;
    const trailers = [...errorTrailers(error, requestId, operation.hasErrorInfo), ...metadata?.trailers ?? []];
    if (!hasSentHeaders && (metadata === undefined || metadata.headers.isEmpty)) {
      return stream.sendTrailers(deps.heads.trailersOnly(trailers, this.format.name, requestId));
    }
    if (!hasSentHeaders) stream.sendHeaders(this.responseHeaders());
    stream.sendTrailers(encodeHeaderBlock(trailers));
  }

  /** Returns the header block before the messages, with the fields that the handler has set. */
  protected responseHeaders(): Uint8Array {
    const { deps: { heads }, requestId, format, head: { accepted }, metadata } = this;
    const block = heads.headers(requestId, format.name, accepted);
    if (metadata === undefined) return block;
    metadata.headers.sent();
    return metadata.headers.isEmpty ? block : joined(block, encodeHeaderBlock([...metadata.headers]));
  }

  /** Returns the trailers of a successful call. */
  protected okTrailers(): Uint8Array {
    const { metadata } = this;
    return metadata === undefined || metadata.trailers.isEmpty ? OK_TRAILERS : okTrailers(metadata.trailers);
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  return concatBytes([first, second], first.length + second.length);
}
