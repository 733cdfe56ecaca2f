import { connect } from "node:http2";

/** One kind of gRPC call, made again and again with the same message. */
export interface GrpcCall {
  /** `/package.Service/Method` */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly message: Uint8Array;
  /** Lets responses be errors, where a full machine may make the server refuse calls. */
  readonly mayFail?: boolean;
}

/** A message with the prefix that gRPC puts before it. */
export function framed(message: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(5 + message.length);
  new DataView(bytes.buffer).setUint32(1, message.length);
  bytes.set(message, 5);
  return bytes;
}

/**
 * Makes one call and checks its status.
 *
 * @returns how many bytes of body the response has
 */
export async function probeGrpc(port: number, { path, headers, message }: GrpcCall): Promise<number> {
  const session = connect(`http://127.0.0.1:${port}`);
  try {
    return await new Promise((resolve, reject) => {
      session.on("error", reject);
      const type = { "content-type": "application/grpc", te: "trailers" };
      const stream = session.request({ ":method": "POST", ":path": path, ...type, ...headers });
      let [status, bytes] = ["", 0];
      const note = (fields: Record<string, unknown>) => status = String(fields["grpc-status"] ?? status);
      stream.on("response", note);
      stream.on("trailers", note);
      stream.on("data", (chunk: Uint8Array) => bytes += chunk.length);
      stream.on("error", reject);
      stream.on("close", () => status === "0" ? resolve(bytes) : reject(new Error(`${path}: grpc-status ${status}`)));
      stream.end(framed(message));
    });
  } finally {
    session.close();
  }
}
