import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { callOver, type Wire } from "../harness/wire.ts";
import { GrpcCaller } from "./grpc_caller.ts";
import { NoResponse } from "./no_response.ts";

/** The addresses of a server. */
export interface Addresses {
  readonly url: string;
  readonly grpcUrl: string;
}

/** A client that makes one call after the other over a wire of a running server. */
export class WireCaller {
  readonly #addresses: Addresses;
  readonly #token: string;
  readonly #wire: Wire;
  #grpc: GrpcCaller | undefined;

  constructor(addresses: Addresses, token: string, wire: Wire) {
    this.#addresses = addresses;
    this.#token = token;
    this.#wire = wire;
  }

  /**
   * Makes a call.
   *
   * @param key the idempotency key
   * @param signal ends the wait for the response; over gRPC it ends the connection
   * @throws CallError if the server responds with an error
   * @throws NoResponse if there is no response, or only a part of it
   */
  async call<Input extends DescMessage, Output extends DescMessage>(
    method: DescMethodUnary<Input, Output>,
    request: MessageInitShape<Input>,
    key?: string,
    signal?: AbortSignal,
  ): Promise<MessageShape<Output>> {
    const headers = key === undefined ? {} : { "idempotency-key": key };
    if (this.#wire === "grpc") {
      if (this.#grpc?.isClosed !== false) this.#grpc = new GrpcCaller(this.#addresses.grpcUrl);
      const grpc = this.#grpc;
      const close = () => grpc.close();
      signal?.addEventListener("abort", close);
      return grpc.call(this.#token, method, request, headers).finally(() =>
        signal?.removeEventListener("abort", close)
      );
    }
    let broken: NoResponse | undefined;
    const send = async (request: Request) => {
      try {
        return await fetchWhole(this.#addresses.url, request, headers, signal);
      } catch (error) {
        throw broken = new NoResponse(String(error));
      }
    };
    try {
      return await callOver(this.#wire, { fetch: send, grpc: UNUSED }, this.#token, method, request);
    } catch (error) {
      throw broken ?? error;
    }
  }

  close(): void {
    this.#grpc?.close();
  }
}

const UNUSED = {
  call: () => {
    throw new Error("gRPC has a connection of its own");
  },
};

/** Sends a request to the server, and reads the whole response, because one that breaks off is no error of the server. */
async function fetchWhole(
  url: string,
  request: Request,
  headers: Record<string, string>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const { pathname } = new URL(request.url);
  const response = await fetch(url + pathname, {
    method: request.method,
    headers: [...request.headers, ...Object.entries(headers)],
    body: await request.arrayBuffer(),
    ...signal !== undefined && { signal },
  });
  return new Response(await response.arrayBuffer(), { status: response.status, headers: response.headers });
}
