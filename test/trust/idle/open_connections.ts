import { connect, type Socket } from "node:net";
import process from "node:process";
import { createInterface } from "node:readline";
import { encodeHeaderBlock } from "../../../core/net/hpack/encoder.ts";
import { clientPreface, concatBytes, frameBytes, grpcRequest } from "../../harness/http2_client.ts";

// Opens connections that make at most one call and then do nothing. Prints how many of them are
// open after each line of its input; ends when its input ends.
const [httpPort, grpcPort, count, token] = process.argv.slice(2) as [string, string, string, string];
const ADDRESSES = ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"];
const PARALLEL = 50;

const call = (fields: string) =>
  `POST /HelloWorldService/sayHello HTTP/1.1\r\nhost: edgehelm.test\r\n${fields}content-length: 2\r\n\r\n{}`;
const streamHeaders = frameBytes(1, 4, 1, encodeHeaderBlock(grpcRequest("/pb.HelloWorldService/SayHello", token)));
/** The port and the bytes of each kind of client. */
const KINDS: readonly (readonly [port: string, bytes: string | Uint8Array])[] = [
  [httpPort, call("")],
  [grpcPort, clientPreface()],
  [httpPort, call(`x-cloud-access-token: ${token}\r\n`)],
  [grpcPort, concatBytes([clientPreface(), streamHeaders, frameBytes(0, 1, 1, [0, 0, 0, 0, 0])])],
];
const sockets: Socket[] = [];

function open(index: number): Promise<void> {
  const [port, bytes] = KINDS[index % KINDS.length]!;
  const localAddress = ADDRESSES[Math.floor(index / KINDS.length) % ADDRESSES.length]!;
  return new Promise((resolve) => {
    const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress }, () => socket.write(bytes));
    sockets.push(socket);
    // The server writes first when it has accepted the connection.
    socket.on("data", () => resolve());
    socket.on("error", () => socket.destroy());
    socket.on("close", () => resolve());
  });
}

let next = 0;
const worker = async () => {
  while (next < Number(count)) await open(next++);
};
await Promise.all(Array.from({ length: PARALLEL }, worker));
const report = () => console.log(sockets.filter(({ destroyed }) => !destroyed).length);
report();
createInterface({ input: process.stdin }).on("line", report).on("close", () => process.exit(0));
