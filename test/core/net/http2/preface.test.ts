import { describe, expect, test } from "vitest";
import { encodeHeaderBlock } from "../../../../core/net/hpack/encoder.ts";
import { ErrorCode, FrameType, PREFACE } from "../../../../core/net/http2/protocol.ts";
import { frameBytes, Http2Client } from "../../../harness/http2_client.ts";
import { bodyOf, connectionError, END_HEADERS, greet, REQUEST, rig } from "./rig.ts";

const { PROTOCOL_ERROR } = ErrorCode;
const BLOCK = [...encodeHeaderBlock(REQUEST)];
const PREFACE_BYTES = new TextEncoder().encode(PREFACE);

describe("3.4: the preface", () => {
  test("a client that does not speak HTTP/2 gets an HTTP/1.1 response and is disconnected", async () => {
    const client = new Http2Client(rig().server, { raw: true });
    client.send(new TextEncoder().encode("GET / HTTP/1.1\r\nhost: a\r\n\r\n"));
    await client.untilClosed();
    expect(client.text).toContain("HTTP/1.1 400");
  });

  test("the first frame must be SETTINGS", async () => {
    const client = new Http2Client(rig().server);
    client.send(PREFACE_BYTES, frameBytes(6, 0, 0, Array(8).fill(0)));
    expect(await connectionError(client)).toBe(PROTOCOL_ERROR);
  });

  test("the first SETTINGS must not be an ACK", async () => {
    const client = new Http2Client(rig().server);
    client.send(PREFACE_BYTES, frameBytes(4, 1, 0));
    expect(await connectionError(client)).toBe(PROTOCOL_ERROR);
  });

  test("the server begins with SETTINGS and acknowledges those of the client", async () => {
    const { client } = greet();
    await client.until(({ type, flags }) => type === FrameType.SETTINGS && flags === 1);
    expect(client.frames[0]).toMatchObject({ type: FrameType.SETTINGS, flags: 0, streamId: 0 });
  });

  test("preface and frames may arrive byte by byte", async () => {
    const client = new Http2Client(rig().server);
    const bytes = [
      PREFACE_BYTES,
      frameBytes(4, 0, 0),
      frameBytes(1, END_HEADERS, 1, BLOCK),
      frameBytes(0, 1, 1, [7, 8]),
    ];
    for (const part of bytes) for (const byte of part) client.send(Uint8Array.of(byte));
    expect([...await bodyOf(client, 1)]).toEqual([7, 8]);
  });
});
