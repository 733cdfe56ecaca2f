import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { CallError } from "../harness/call_error.ts";
import type { Server } from "../harness/server.ts";
import { callOver, type Wire } from "../harness/wire.ts";
import { GrpcClient } from "./grpc_client.ts";

/** The wires of a server process. */
export const SERVER_WIRES: readonly Wire[] = ["http", "connect", "grpcweb", "grpc"];

/** The outcome of a call. */
export interface CallEnd<Output> {
  /** 200, or the code of the error; 0 if there was no response. */
  readonly code: number;
  readonly reason: string;
  readonly response: Output | undefined;
}

/** Calls a server process over every wire. */
export class ServerWires {
  readonly #server: Server;
  #grpc: GrpcClient;

  constructor(server: Server) {
    this.#server = server;
    this.#grpc = new GrpcClient(server.grpcUrl);
  }

  /** The current connection of gRPC. */
  get grpc(): GrpcClient {
    if (this.#grpc.isClosed) this.#grpc = new GrpcClient(this.#server.grpcUrl);
    return this.#grpc;
  }

  /** Closes the connection of gRPC when its calls have ended, and continues with another one. */
  reconnect(): void {
    const old = this.#grpc;
    this.#grpc = new GrpcClient(this.#server.grpcUrl);
    void old.idle().then(() => old.close());
  }

  /** Sends a request, of which only the path is used as it is. */
  readonly fetch = (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    return fetch(new Request(this.#server.url + pathname + search, request));
  };

  async call<Input extends DescMessage, Output extends DescMessage>(
    wire: Wire,
    token: string | undefined,
    method: DescMethodUnary<Input, Output>,
    request: MessageInitShape<Input>,
  ): Promise<CallEnd<MessageShape<Output>>> {
    try {
      return { code: 200, reason: "", response: await callOver(wire, this, token, method, request) };
    } catch (error) {
      if (error instanceof CallError) return { code: error.code, reason: error.reason, response: undefined };
      return { code: 0, reason: String(error), response: undefined };
    }
  }

  close(): void {
    this.#grpc.close();
  }
}
