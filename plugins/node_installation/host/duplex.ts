import { Duplex } from "node:stream";
import type { OutboundConnection } from "edgehelm/runtime";

/** Returns a connection as the stream that the SSH library reads and writes. */
export function duplexOf(connection: OutboundConnection): Duplex {
  const reader = connection.readable.getReader();
  const writer = connection.writable.getWriter();
  // the end of the other direction is reported by reads and writes
  writer.closed.catch(() => {});
  reader.closed.catch(() => {});
  return new Duplex({
    read() {
      reader.read().then(({ value }) => this.push(value ?? null), (error) => this.destroy(error));
    },
    write(chunk: Uint8Array, _encoding, done) {
      writer.write(new Uint8Array(chunk)).then(() => done(), done);
    },
    final(done) {
      writer.close().then(() => done(), () => done());
    },
    destroy(error, done) {
      connection.close();
      done(error);
    },
  });
}
