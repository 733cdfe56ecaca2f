import { type DecodedRequest, decodedRequest } from "../../calls/decoded_request.ts";
import { GrpcCall } from "./call.ts";
import { type Envelope, framed, plainBytes } from "./codec.ts";
import { notCompressed, notOneMessage } from "./status.ts";

/** A call with one request and one response. */
export class UnaryCall extends GrpcCall {
  #request: Envelope | undefined;
  #isRunning = false;

  protected override message(isCompressed: boolean, bytes: Uint8Array): void {
    if (this.#request !== undefined) throw notOneMessage();
    if (isCompressed && this.head.coding === undefined) throw notCompressed();
    this.hold(bytes.length);
    this.#request = { isCompressed, bytes };
  }

  /** The whole message is buffered in any case, so the client may continue to send immediately. */
  protected override received(count: number): void {
    this.stream.consumed(count);
  }

  protected override complete(): void {
    if (this.#request === undefined) return this.refuse(notOneMessage());
    this.#isRunning = true;
    void this.#run(this.#request);
  }

  protected override dropped(): void {
    this.#request = undefined;
    if (!this.#isRunning) this.stream.release();
  }

  async #run(request: Envelope): Promise<void> {
    const { deps, operation, stream, format } = this;
    try {
      const bytes = await deps.dispatch.call(
        operation,
        this,
        () => this.#decode(request),
        (response) => format.response(operation, response),
      );
      const body = framed(bytes, deps.codings, this.head);
      stream.respond(this.responseHeaders(), body instanceof Promise ? await body : body, this.okTrailers());
    } catch (error) {
      this.fail(error);
    } finally {
      stream.release();
    }
  }

  #decode(request: Envelope): DecodedRequest | Promise<DecodedRequest> {
    const plain = plainBytes(request, this.deps.codings, this.head, this.messageBytes);
    return plain instanceof Promise ? plain.then((bytes) => this.#withKey(bytes)) : this.#withKey(plain);
  }

  #withKey(bytes: Uint8Array): DecodedRequest | Promise<DecodedRequest> {
    const { operation, format, idempotencyKey } = this;
    return decodedRequest(operation, format.request(operation, bytes), idempotencyKey);
  }
}
