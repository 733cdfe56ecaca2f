import { type DecodedRequest, decodedRequest } from "../../calls/decoded_request.ts";
import { responseBytes } from "../../calls/encoded_messages.ts";
import type { Operation } from "../../calls/operation.ts";
import { GrpcCall } from "./call.ts";
import { decodeMessage, decompressed, type Envelope, framed } from "./codec.ts";
import { notCompressed, notOneMessage, OK_TRAILERS, responseHeaders } from "./status.ts";

/** A call with one request and one response. */
export class UnaryCall extends GrpcCall {
  #request: Envelope | undefined;
  #isRunning = false;

  protected override message(isCompressed: boolean, bytes: Uint8Array): void {
    if (this.#request !== undefined) throw notOneMessage();
    if (isCompressed && !this.isGzip) throw notCompressed();
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
    const { deps, operation, stream } = this;
    try {
      const bytes = await deps.dispatch.call(
        operation,
        this,
        () => this.#decode(request),
        (response) => responseBytes(operation, response),
      );
      const body = framed(bytes, this.isGzip ? deps.gzip : undefined);
      stream.respond(
        responseHeaders(this.requestId, this.isGzip),
        body instanceof Promise ? await body : body,
        OK_TRAILERS,
      );
    } catch (error) {
      this.fail(error);
    } finally {
      stream.release();
    }
  }

  #decode({ isCompressed, bytes }: Envelope): DecodedRequest | Promise<DecodedRequest> {
    if (isCompressed) return this.#decodeCompressed(bytes);
    return this.#withKey(bytes);
  }

  async #decodeCompressed(bytes: Uint8Array): Promise<DecodedRequest> {
    const { deps: { gzip }, messageBytes } = this;
    return await this.#withKey(await decompressed(gzip, bytes, messageBytes));
  }

  #withKey(bytes: Uint8Array): DecodedRequest | Promise<DecodedRequest> {
    return decodedRequest(this.operation, requestOfBytes(this.operation, bytes), this.idempotencyKey);
  }
}

/** Returns the bytes unchanged for a handler that takes encoded messages. */
function requestOfBytes({ isEncoded, method }: Operation, bytes: Uint8Array): unknown {
  return isEncoded ? bytes : decodeMessage(method.input, bytes);
}
