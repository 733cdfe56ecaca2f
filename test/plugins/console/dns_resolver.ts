import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";

const TXT = 16;
const NS = 2;

/** A DNS resolver that returns the given records, and none for other names. */
export class DnsRecords {
  readonly #socket: Socket;
  readonly ns = new Map<string, readonly string[]>();
  readonly txt = new Map<string, readonly string[]>();

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("message", (query, { port, address }) => socket.send(this.#respond(query), port, address));
  }

  static async start(): Promise<DnsRecords> {
    const socket = createSocket("udp4").bind(0, "127.0.0.1");
    await once(socket, "listening");
    return new DnsRecords(socket);
  }

  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  stop(): void {
    this.#socket.close();
  }

  #respond(query: Uint8Array): Uint8Array {
    const { name, type, end } = questionOf(query);
    const values = (type === NS ? this.ns : type === TXT ? this.txt : undefined)?.get(name) ?? [];
    const records = values.map((value) => {
      const data = type === NS ? nameBytes(value) : [value.length, ...new TextEncoder().encode(value)];
      return [0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, data.length >> 8, data.length & 255, ...data];
    });
    const head = [query[0]!, query[1]!, 0x81, 0x80, 0, 1, 0, records.length, 0, 0, 0, 0];
    return new Uint8Array([...head, ...query.subarray(12, end), ...records.flat()]);
  }
}

function questionOf(query: Uint8Array): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(new TextDecoder().decode(query.subarray(at + 1, at + 1 + length)));
    at += length + 1;
  }
  return { name: labels.join("."), type: (query[at + 1]! << 8) + query[at + 2]!, end: at + 5 };
}

function nameBytes(name: string): number[] {
  return [...name.split(".").flatMap((label) => [label.length, ...new TextEncoder().encode(label)]), 0];
}
