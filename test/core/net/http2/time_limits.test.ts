import { afterEach, describe, expect, test, vi } from "vitest";
import { encodeHeaderBlock } from "../../../../core/net/hpack/encoder.ts";
import { HTTP2_LIMITS } from "../../../../core/net/http2/limits.ts";
import { ErrorCode, FrameType } from "../../../../core/net/http2/protocol.ts";
import { frameBytes, Http2Client } from "../../../harness/http2_client.ts";
import { ENDS, greet, REQUEST, request, rig, stillServes, streamError, uint32 } from "./rig.ts";

const { CANCEL } = ErrorCode;
const BLOCK = encodeHeaderBlock(REQUEST);
const HOLD = encodeHeaderBlock(request({ ":path": "/hold" }));

describe("time limits", () => {
  afterEach(() => void vi.useRealTimers());

  test.each<[string, (client: Http2Client) => void]>([
    ["no bytes", () => {}],
    ["half a preface", (client) => client.send(new TextEncoder().encode("PRI * HTTP"))],
    ["half a header block", (client) => {
      client.send(new TextEncoder().encode("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), frameBytes(4, 0, 0));
      client.frame(1, 0, 1, BLOCK);
    }],
  ])("a client that sends only %s is disconnected", async (_name, begin) => {
    const { server } = rig();
    const client = new Http2Client(server, { raw: true });
    begin(client);
    server.sweep(Date.now() + HTTP2_LIMITS.headerMilliseconds - 1000);
    expect(client.isClosed).toBe(false);
    server.sweep(Date.now() + HTTP2_LIMITS.headerMilliseconds + 1000);
    await client.untilClosed();
  });

  test("a response whose window stays closed is aborted", async () => {
    const { client, server, aborted } = greet({}, [0, 4, ...uint32(0)]);
    client.headers(1, request({ ":path": "/large?1000" }), ENDS);
    await client.until(({ type }) => type === FrameType.HEADERS);
    server.sweep(Date.now() + HTTP2_LIMITS.stallMilliseconds - 1000);
    expect(aborted).toEqual([]);
    server.sweep(Date.now() + HTTP2_LIMITS.stallMilliseconds + 1000);
    expect(await streamError(client, 1)).toBe(CANCEL);
    await stillServes(client, 3);
  });

  test("the time limit of a response begins with the response, not with the request", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { client, server, aborted, held } = greet({}, [0, 4, ...uint32(0)]);
    client.frame(1, ENDS, 1, HOLD);
    vi.setSystemTime(Date.now() + 2 * HTTP2_LIMITS.stallMilliseconds);
    client.frame(6, 0, 0, Array(8).fill(1));
    held[0]!.respond(encodeHeaderBlock([[":status", "200"]]), [new Uint8Array(9)], encodeHeaderBlock([["a", "b"]]));
    await client.until(({ type }) => type === FrameType.HEADERS);
    server.sweep(Date.now() + 1000);
    expect(aborted).toEqual([]);
    server.sweep(Date.now() + HTTP2_LIMITS.stallMilliseconds + 1000);
    expect(await streamError(client, 1)).toBe(CANCEL);
  });

  test("a client that does not read is disconnected", async () => {
    const { client, server } = greet();
    await stillServes(client, 1);
    client.isReading = false;
    client.headers(3, REQUEST, ENDS);
    await new Promise((resolve) => setTimeout(resolve));
    server.sweep(Date.now() + HTTP2_LIMITS.stallMilliseconds + 1000);
    expect(client.isClosed).toBe(true);
  });

  test("a silent client is pinged, then disconnected", async () => {
    const { client, server } = greet();
    await stillServes(client, 1);
    const pingedAt = Date.now() + HTTP2_LIMITS.keepaliveMilliseconds + 1;
    server.sweep(pingedAt);
    await client.until(({ type, flags }) => type === FrameType.PING && flags === 0);
    server.sweep(pingedAt + HTTP2_LIMITS.keepaliveTimeoutMilliseconds + 1);
    expect(client.isClosed).toBe(true);
  });

  test("a client that acknowledges the ping stays connected", async () => {
    const { client, server } = greet();
    await stillServes(client, 1);
    const pingedAt = Date.now() + HTTP2_LIMITS.keepaliveMilliseconds + 1;
    server.sweep(pingedAt);
    const { payload } = await client.until(({ type, flags }) => type === FrameType.PING && flags === 0);
    client.frame(6, 1, 0, payload);
    server.sweep(pingedAt + HTTP2_LIMITS.keepaliveTimeoutMilliseconds + 1);
    await stillServes(client, 3);
  });
});
