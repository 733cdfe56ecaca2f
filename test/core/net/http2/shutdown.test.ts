import { describe, expect, test } from "vitest";
import { encodeHeaderBlock } from "../../../../core/net/hpack/encoder.ts";
import { ErrorCode, FrameType } from "../../../../core/net/http2/protocol.ts";
import { ended, ENDS, greet, REQUEST, request, stillServes, streamError } from "./rig.ts";

const { REFUSED_STREAM } = ErrorCode;
const HOLD = encodeHeaderBlock(request({ ":path": "/hold" }));

describe("the end of a connection", () => {
  test("drain finishes open streams and refuses new ones", async () => {
    const { client, server, held } = greet();
    client.frame(1, ENDS, 1, HOLD);
    const drained = server.drain(5000);
    const { payload } = await client.until(({ type, flags }) => type === FrameType.PING && flags === 0);
    await stillServes(client, 3);
    client.frame(6, 1, 0, payload);
    client.headers(5, REQUEST, ENDS);
    expect(await streamError(client, 5)).toBe(REFUSED_STREAM);
    held[0]!.respond(encodeHeaderBlock([[":status", "200"]]), [], encodeHeaderBlock([["grpc-status", "0"]]));
    await ended(client, 1);
    await drained;
    expect(client.isClosed).toBe(true);
    const goAways = client.frames.filter(({ type }) => type === FrameType.GOAWAY);
    expect(goAways.map(({ payload }) => new DataView(payload.buffer).getUint32(0))).toEqual([2 ** 31 - 1, 3]);
  });

  test("a client that disconnects aborts its streams", () => {
    const { client, aborted } = greet();
    client.frame(1, ENDS, 1, HOLD);
    client.close();
    expect(aborted).toEqual([1]);
  });
});
