import type { Message } from "@bufbuild/protobuf";
import { kernelErrors } from "../../base/errors.ts";
import type { Http2Stream } from "../../net/http2/stream.ts";
import { LOW_WATER_BYTES } from "../../net/http2/stream.ts";
import type { Operation } from "../../calls/operation.ts";
import { type CallDeps, GrpcCall } from "./call.ts";
import { type Envelope, framed, plainBytes } from "./codec.ts";
import { Inbox } from "./inbox.ts";
import type { RequestHead } from "./request_head.ts";
import { notCompressed, notOneMessage } from "./status.ts";

/** The number of bytes waiting for the handler above which the client must stop sending. */
const MAX_INBOX_BYTES = 256 * 1024;

/** A client, server or bidirectional stream. */
export class StreamingCall extends GrpcCall {
  readonly #inbox: Inbox;
  /** Received bytes whose flow-control window is returned to the client once the handler has consumed some. */
  #unacknowledged = 0;
  #isRunning = false;
  #hasSentHeaders = false;
  #wake: (() => void) | undefined;

  constructor(deps: CallDeps, operation: Operation, stream: Http2Stream, head: RequestHead) {
    super(deps, operation, stream, head);
    this.#inbox = new Inbox((bytes) => this.#consumed(bytes));
    if (!this.#takesOneMessage) this.#start();
  }

  get #takesOneMessage(): boolean {
    return this.operation.method.methodKind === "server_streaming";
  }

  protected override message(isCompressed: boolean, bytes: Uint8Array): void {
    if (isCompressed && this.head.coding === undefined) throw notCompressed();
    if (this.#takesOneMessage && this.#inbox.length > 0) throw notOneMessage();
    this.hold(bytes.length);
    this.#inbox.add({ isCompressed, bytes });
  }

  protected override received(count: number): void {
    if (this.#inbox.bytes > MAX_INBOX_BYTES) this.#unacknowledged += count;
    else this.stream.consumed(count);
  }

  #consumed(bytes: number): void {
    this.hold(-bytes);
    if (this.#unacknowledged === 0 || this.#inbox.bytes > MAX_INBOX_BYTES) return;
    this.stream.consumed(this.#unacknowledged);
    this.#unacknowledged = 0;
  }

  protected override complete(): void {
    this.#inbox.end();
    if (this.#takesOneMessage) this.#start();
  }

  protected override dropped(): void {
    this.#inbox.end(kernelErrors.cancelled());
    this.#wake?.();
    if (!this.#isRunning) this.stream.release();
  }

  override writable(): void {
    this.#wake?.();
  }

  #start(): void {
    this.#isRunning = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    const { deps, operation, stream } = this;
    try {
      for await (const response of deps.dispatch.stream(operation, this, await this.#input())) {
        await this.#send(this.format.response(operation, response));
        if (stream.isClosed) return;
      }
      if (!this.#hasSentHeaders) stream.sendHeaders(this.responseHeaders());
      stream.sendTrailers(this.okTrailers());
    } catch (error) {
      this.fail(error, this.#hasSentHeaders);
    } finally {
      stream.release();
    }
  }

  /** Returns the single request, or the stream of requests. */
  async #input(): Promise<Message | AsyncIterable<Message>> {
    const messages = this.#inbox.messages((envelope) => this.#decode(envelope));
    if (!this.#takesOneMessage) return messages;
    const first = await messages.next();
    if (first.done === true) throw notOneMessage();
    return first.value;
  }

  async #decode(envelope: Envelope): Promise<Message> {
    const plain = await plainBytes(envelope, this.deps.codings, this.head, this.messageBytes);
    return this.format.request(this.operation, plain) as Message;
  }

  async #send(bytes: Uint8Array): Promise<void> {
    const { stream } = this;
    if (!this.#hasSentHeaders) {
      this.#hasSentHeaders = true;
      stream.sendHeaders(this.responseHeaders());
    }
    stream.sendData(await framed(bytes, this.deps.codings, this.head));
    if (stream.waitingBytes < LOW_WATER_BYTES || stream.isClosed) return;
    await new Promise<void>((resolve) => this.#wake = resolve);
    this.#wake = undefined;
  }
}
