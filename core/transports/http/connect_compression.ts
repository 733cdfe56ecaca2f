import { Code, ConnectError } from "@connectrpc/connect";
import type { Compression } from "@connectrpc/connect/protocol";
import { RpcError } from "../../base/errors.ts";
import { decompressed, type MessageCodings } from "../rpc/codings.ts";

/** Returns the codings of a runtime as the Connect library takes them. */
export function connectCompressions(codings: MessageCodings): Compression[] {
  return codings.names.map((name) => ({
    name,
    compress: async (bytes) => new Uint8Array(await codings.compress(name, bytes)),
    async decompress(bytes, readMaxBytes) {
      try {
        return new Uint8Array(await decompressed(codings, name, bytes, readMaxBytes));
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        throw new ConnectError(
          error.message,
          error.kind === "too_large" ? Code.ResourceExhausted : Code.InvalidArgument,
        );
      }
    },
  }));
}
