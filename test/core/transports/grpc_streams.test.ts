import { type DescMethod, toBinary } from "@bufbuild/protobuf";
import { invalid } from "edgehelm";
import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Health } from "../../../core/transports/grpc/health.ts";
import { messagePrefix } from "../../../core/transports/grpc/message_reader.ts";
import { GrpcService } from "../../../core/transports/grpc/service.ts";
import { zlibCodings } from "../../../core/host/listen/message_codings.ts";
import { Http2Server } from "../../../core/net/http2/server.ts";
import { ProbeService } from "../../fixtures/probe/proto/probe_pb.ts";
import { concatBytes, grpcRequest, Http2Client } from "../../harness/http2_client.ts";
import { probePlugin } from "../probe.ts";

let events: string[] = [];
const plugin = probePlugin(() => ({
  async *tell({ number }, call) {
    call.signal.addEventListener("abort", () => events.push("aborted"));
    for (let n = 1n; n <= number; n++) yield { number: n };
    if (number === 0n) throw invalid("number", "must not be 0");
    // Not a valid int64.
    if (number === 3n) yield { number: "three" as never };
  },
  async gather(requests) {
    let text = "";
    for await (const request of requests) text += request.text;
    return { text };
  },
  async *talk(requests) {
    for await (const { text } of requests) yield { text: text.toUpperCase() };
  },
}));

let edgehelm: TestKernel;
let server: Http2Server;
let client: Http2Client;
let isReady = true;
const health = new Health(() => isReady);
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin] });
  const service = new GrpcService(edgehelm.kernel, { codings: zlibCodings, health, behindProxy: false });
  server = new Http2Server(service, queueMicrotask);
  client = Http2Client.connect(server);
});
afterAll(async () => {
  client.close();
  await edgehelm[Symbol.asyncDispose]();
});

const { tell, gather, talk } = ProbeService.method;
const EMPTY_MESSAGE = [0, 0, 0, 0, 0];
let nextId = 1;

/** Begins a call and returns the id of its stream. */
async function begin(path: string): Promise<number> {
  const id = nextId;
  nextId += 2;
  client.headers(id, await request(path));
  return id;
}

async function request(path: string) {
  return grpcRequest(path, await edgehelm.token(as.admin()));
}

function send(id: number, method: DescMethod, request: object, flags = 0): void {
  const bytes = toBinary(method.input, { $typeName: method.input.typeName, text: "", number: 0n, ...request } as never);
  client.frame(0, flags, id, concatBytes([messagePrefix(false, bytes.length), bytes]));
}

function pathOf(method: DescMethod): string {
  return `/${method.parent.typeName}/${method.name}`;
}

/** Waits for the trailers of a call. Returns its status and the number of messages. */
async function outcome(id: number): Promise<{ messages: number; status: string; message: string }> {
  await client.until((frame) => frame.streamId === id && frame.type === 1 && (frame.flags & 1) !== 0);
  const own = client.frames.filter(({ streamId }) => streamId === id);
  const blocks = own.filter(({ type }) => type === 1).flatMap(({ payload }) =>
    client.decoder.decode(payload, 0, payload.length).fields
  );
  const value = (name: string) => blocks.find((field) => field.name === name)?.value ?? "";
  return {
    messages: own.filter(({ type }) => type === 0).length,
    status: value("grpc-status"),
    message: value("grpc-message"),
  };
}

test("a server stream ends with its status after its messages", async () => {
  const id = await begin(pathOf(tell));
  send(id, tell, { number: 2n }, 1);
  expect(await outcome(id)).toEqual({ messages: 2, status: "0", message: "" });
});

test("a server stream that fails ends with its error", async () => {
  const id = await begin(pathOf(tell));
  send(id, tell, { number: 0n }, 1);
  expect(await outcome(id)).toEqual({ messages: 0, status: "3", message: "number: must not be 0" });
});

test("an invalid response message ends the stream with an internal error", async () => {
  const id = await begin(pathOf(tell));
  send(id, tell, { number: 3n }, 1);
  expect(await outcome(id)).toMatchObject({ status: "13", message: "internal error" });
});

test("a method with a single request refuses two, and none", async () => {
  const two = await begin(pathOf(tell));
  send(two, tell, { number: 1n });
  send(two, tell, { number: 1n }, 1);
  expect((await outcome(two)).status).toBe("12");
  const none = await begin(pathOf(tell));
  client.frame(0, 1, none);
  expect((await outcome(none)).status).toBe("12");
  const empty = await begin(pathOf(tell));
  client.frame(0, 1, empty, [...EMPTY_MESSAGE, ...EMPTY_MESSAGE]);
  expect((await outcome(empty)).status).toBe("12");
});

test("incomplete messages count against the memory limit of a connection", async () => {
  const bufferingClient = Http2Client.connect(server);
  const fields = await request(pathOf(gather));
  const part = new Uint8Array(16_384);
  for (let id = 1; id < 41; id += 2) {
    bufferingClient.headers(id, fields);
    // Announces four mebibytes; the last bytes are never sent.
    bufferingClient.frame(0, 0, id, [0, 0, 64, 0, 0]);
    for (let sent = 0; sent < 255; sent++) bufferingClient.frame(0, 0, id, part);
  }
  const { payload } = await bufferingClient.until(({ type, flags }) => type === 1 && (flags & 1) !== 0);
  const trailers = bufferingClient.decoder.decode(payload, 0, payload.length).fields;
  expect(trailers.find(({ name }) => name === "grpc-status")?.value).toBe("8");
  bufferingClient.close();
});

test("a client stream receives all messages, even if they are split into many frames", async () => {
  const id = await begin(pathOf(gather));
  send(id, gather, { text: "a" });
  const bytes = toBinary(gather.input, { $typeName: gather.input.typeName, text: "bcd", number: 0n });
  for (const byte of concatBytes([messagePrefix(false, bytes.length), bytes])) client.frame(0, 0, id, [byte]);
  client.frame(0, 1, id);
  expect((await outcome(id)).status).toBe("0");
});

test("the directions of a bidirectional stream are independent", async () => {
  const id = await begin(pathOf(talk));
  send(id, talk, { text: "x" });
  await client.until((frame) => frame.streamId === id && frame.type === 0);
  send(id, talk, { text: "y" });
  client.frame(0, 1, id);
  expect(await outcome(id)).toMatchObject({ messages: 2, status: "0" });
});

test("an incomplete message at the end is refused", async () => {
  const id = await begin(pathOf(gather));
  client.frame(0, 1, id, [0, 0, 0, 0, 9, 1]);
  expect((await outcome(id)).status).toBe("3");
});

test("a caller that resets its stream aborts the handler's signal", async () => {
  events = [];
  const id = await begin(pathOf(tell));
  send(id, tell, { number: 1_000_000n }, 1);
  await client.until((frame) => frame.streamId === id && frame.type === 0);
  client.frame(3, 0, id, [0, 0, 0, 8]);
  await expect.poll(() => events).toEqual(["aborted"]);
});

test("the health of the server can be watched", async () => {
  const id = await begin("/grpc.health.v1.Health/Watch");
  client.frame(0, 1, id, EMPTY_MESSAGE);
  const statuses = () =>
    client.frames.filter((frame) => frame.streamId === id && frame.type === 0).map(({ payload }) => payload.at(-1));
  await expect.poll(statuses).toEqual([1]);
  isReady = false;
  health.changed();
  await expect.poll(statuses).toEqual([1, 2]);
  client.frame(3, 0, id, [0, 0, 0, 8]);
});
