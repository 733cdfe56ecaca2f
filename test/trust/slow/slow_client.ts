import { connect } from "node:net";
import { FrameParser } from "../../harness/http2_client.ts";
import type { SlowKind } from "./kinds.ts";

const HEADERS = 1;
const RST_STREAM = 3;
const END_STREAM = 1;

/** Connects a slow client and resolves when the server has ended its connection or its stream. */
export function untilServerEnds(port: number, kind: SlowKind, intervalMilliseconds: number): Promise<void> {
  const parser = new FrameParser();
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", localAddress: "127.0.0.2" }, () => socket.write(kind.first));
    socket.setNoDelay(true);
    let at = 0;
    const timer = setInterval(() => {
      if (at < kind.rest.length) socket.write(kind.rest.subarray(at, ++at));
      // Who reads nothing learns only by writing that the connection has ended.
      else if (kind.isDeaf) socket.write("G");
    }, intervalMilliseconds);
    if (kind.isDeaf) socket.pause();
    else {
      socket.on("data", (chunk: Uint8Array) => {
        if (kind.endsStream !== true) return;
        for (const { type, flags } of parser.parse(chunk)) {
          if (type === RST_STREAM || type === HEADERS && (flags & END_STREAM) !== 0) socket.destroy();
        }
      });
    }
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      clearInterval(timer);
      resolve();
    });
  });
}
