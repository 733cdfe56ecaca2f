import { connect } from "node:net";
import { queryMessage, readAnswer } from "../doh/message.ts";

const DNS_PORT = 53;
const LENGTH_BYTES = 2;
const NO_ERROR = 0;
const NO_SUCH_NAME = 3;

/**
 * Queries DS records, which `node:dns` cannot, over TCP (RFC 7766): a response then cannot be forged from outside of the
 * connection, and always fits.
 *
 * @param server the address of a resolver with an optional port, such as `9.9.9.9` or `[2620:fe::fe]:53`
 * @throws Error if it does not respond in time, or not with records
 */
export async function queryDS(server: string, name: string, timeoutMilliseconds: number): Promise<readonly string[]> {
  const { code, values } = readAnswer(await exchange(server, queryMessage(name, "DS"), timeoutMilliseconds), "DS");
  if (code === NO_ERROR || code === NO_SUCH_NAME) return values;
  throw new Error(`DNS response code ${code}`);
}

function exchange(server: string, query: Uint8Array, timeoutMilliseconds: number): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const socket = connect(addressOf(server));
  const timer = setTimeout(() => socket.destroy(new Error("timeout")), timeoutMilliseconds);
  let received = new Uint8Array();
  socket.on("data", (chunk: Uint8Array) => {
    received = Uint8Array.from([...received, ...chunk]);
    const length = received.length < LENGTH_BYTES ? Infinity : received[0]! * 256 + received[1]!;
    if (received.length < length + LENGTH_BYTES) return;
    resolve(received.slice(LENGTH_BYTES, length + LENGTH_BYTES));
    socket.destroy();
  });
  socket.on("error", reject);
  socket.on("close", () => {
    clearTimeout(timer);
    reject(new Error("the connection ended"));
  });
  socket.write(Uint8Array.from([query.length >> 8, query.length & 0xff, ...query]));
  return promise;
}

function addressOf(server: string): { host: string; port: number } {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(server) ?? [];
  // an address of version 6 without a port has no brackets
  return { host: bracketed ?? plain ?? server, port: Number(port ?? DNS_PORT) };
}
