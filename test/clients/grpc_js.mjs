// A client of EchoService on @grpc/grpc-js. It runs its checks in sequence and prints one line of JSON for each.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import process from "node:process";
import grpc from "@grpc/grpc-js";
import loader from "@grpc/proto-loader";

const [address, token, caFile, root] = process.argv.slice(2);
const options = { includeDirs: [root], longs: String, keepCase: true, defaults: true };
const definition = loader.loadSync("test/fixtures/echo/proto/echo.proto", options);
const { EchoService } = grpc.loadPackageDefinition(definition).edgehelm.test.echo;
const credentials = caFile === ""
  ? grpc.credentials.createInsecure()
  : grpc.credentials.createSsl(readFileSync(caFile));
const LARGE = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };

function open(options = {}) {
  return new EchoService(address, credentials, { ...LARGE, ...options });
}

function metadata(entries = {}) {
  const metadata = new grpc.Metadata();
  metadata.set("x-cloud-access-token", token);
  for (const [name, value] of Object.entries(entries)) metadata.set(name, value);
  return metadata;
}

function unary(method, request, { meta = metadata(), options = {}, on = () => {} } = {}) {
  return new Promise((resolve, reject) => {
    const call = client[method](request, meta, options, (error, response) => error ? reject(error) : resolve(response));
    on(call);
  });
}

/** Collects the messages of a server stream. */
async function collect(call) {
  const items = [];
  for await (const item of call) items.push(item);
  return items;
}

async function rejection(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  assert.fail("the call did not fail");
}

/** Polls until the server has noticed at least this number of aborted calls. */
async function aborted(atLeast) {
  for (let round = 0; round < 200; round++) {
    const count = Number((await unary("counts", {})).aborted);
    if (count >= atLeast) return count;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.fail(`fewer than ${atLeast} calls were aborted`);
}

let client = open();

const checks = {
  async "a unary call"() {
    const response = await unary("echo", { payload: Buffer.from("ada"), number: "9007199254740993" });
    assert.deepEqual([response.payload.toString(), response.number], ["ada", "9007199254740993"]);
  },
  async "metadata both ways"() {
    const meta = metadata({ "x-request-id": "mine-1", "trace-bin": Buffer.from([0, 1, 255]) });
    const received = await new Promise((resolve, reject) => {
      client.echo({}, meta, (error) => error && reject(error)).on("metadata", resolve);
    });
    assert.deepEqual(received.get("x-request-id"), ["mine-1"]);
  },
  async "messages of 0 bytes to 16 MiB"() {
    for (const size of [0, 1, 1000, 16_383, 16_384, 65_535, 65_536, 300_000, 4 << 20, 16 << 20]) {
      const { payload } = await unary("echo", { payload: Buffer.alloc(size, 7) });
      assert.equal(payload.length, size);
      assert.equal(payload.at(-1) ?? 7, 7);
    }
  },
  async "a message above the limit"() {
    const { code, details } = await rejection(unary("echo", { payload: Buffer.alloc(17 << 20) }));
    assert.equal(code, grpc.status.RESOURCE_EXHAUSTED);
    assert.match(details, /larger than the limit/);
  },
  async "an error with its reason"() {
    const error = await rejection(unary("echo", { failure: "100 % wröng\n" }));
    assert.equal(error.code, grpc.status.INVALID_ARGUMENT);
    assert.equal(error.details, "failure: 100 % wröng\n");
    assert.match(error.metadata.get("grpc-status-details-bin")[0].toString("latin1"), /kernel\.invalid_field/);
  },
  async "a wrong and a missing token"() {
    for (const meta of [metadata({ "x-cloud-access-token": "wrong" }), new grpc.Metadata()]) {
      const { code } = await rejection(unary("counts", {}, { meta }));
      assert.equal(code, grpc.status.UNAUTHENTICATED);
    }
  },
  async "an unknown method"() {
    const error = await rejection(
      new Promise((resolve, reject) => {
        const identity = (bytes) => bytes;
        const path = "/edgehelm.test.echo.EchoService/nothing";
        client.makeUnaryRequest(
          path,
          identity,
          identity,
          Buffer.alloc(0),
          (error) => error ? reject(error) : resolve(),
        );
      }),
    );
    assert.equal(error.code, grpc.status.UNIMPLEMENTED);
  },
  async "10,000 messages from the server"() {
    const items = await collect(client.expand({ count: 10_000, size: 100 }, metadata()));
    assert.equal(items.length, 10_000);
    assert.equal(items.at(-1).number, "9999");
  },
  async "64 messages of 256 KiB from the server"() {
    const items = await collect(client.expand({ count: 64, size: 256 << 10 }, metadata()));
    assert.equal(items.reduce((sum, { payload }) => sum + payload.length, 0), 16 << 20);
  },
  async "10,000 messages to the server"() {
    const counts = await new Promise((resolve, reject) => {
      const call = client.collect(metadata(), (error, response) => error ? reject(error) : resolve(response));
      for (let number = 0; number < 10_000; number++) call.write({ payload: Buffer.alloc(100), number });
      call.end();
    });
    assert.deepEqual([counts.messages, counts.bytes], ["10000", "1000000"]);
  },
  async "200 messages in both directions"() {
    const call = client.chat(metadata());
    let number = 0;
    call.write({ number });
    for await (const item of call) {
      assert.equal(item.number, String(number));
      if (++number === 200) call.end();
      else call.write({ number });
    }
    assert.equal(number, 200);
  },
  async "a conversation that the server ends"() {
    const call = client.chat(metadata());
    call.write({ failure: "enough" });
    const { code } = await rejection(collect(call));
    assert.equal(code, grpc.status.INVALID_ARGUMENT);
  },
  async "200 concurrent calls"() {
    const calls = Array.from({ length: 200 }, (_, number) => unary("echo", { number, sleepMilliseconds: 100 }));
    assert.deepEqual((await Promise.all(calls)).map(({ number }) => Number(number)), [...Array(200).keys()]);
  },
  async "a deadline"() {
    const before = await aborted(0);
    const options = { deadline: Date.now() + 100 };
    const { code } = await rejection(unary("echo", { sleepMilliseconds: 60_000 }, { options }));
    assert.equal(code, grpc.status.DEADLINE_EXCEEDED);
    await aborted(before + 1);
  },
  async "a cancelled call"() {
    const before = await aborted(0);
    const on = (call) => setTimeout(() => call.cancel(), 50);
    const { code } = await rejection(unary("echo", { sleepMilliseconds: 60_000 }, { on }));
    assert.equal(code, grpc.status.CANCELLED);
    await aborted(before + 1);
  },
  async "a cancelled endless stream"() {
    const before = await aborted(0);
    const call = client.expand({ count: -1, size: 1000 }, metadata());
    let count = 0;
    const { code } = await rejection((async () => {
      for await (const _ of call) if (++count === 100) call.cancel();
    })());
    assert.equal(code, grpc.status.CANCELLED);
    await aborted(before + 1);
  },
  async "a compressed request"() {
    const gzip = open({ "grpc.default_compression_algorithm": 2 });
    const [previous, payload] = [client, Buffer.alloc(100_000, "ada ")];
    client = gzip;
    const response = await unary("echo", { payload });
    client = previous;
    gzip.close();
    assert.deepEqual(response.payload, payload);
  },
  async "100 connections"() {
    for (let number = 0; number < 100; number++) {
      const connection = open({ "grpc.use_local_subchannel_pool": 1 });
      const response = await new Promise((resolve, reject) => {
        connection.echo({ number }, metadata(), (error, value) => error ? reject(error) : resolve(value));
      });
      assert.equal(response.number, String(number));
      connection.close();
    }
  },
};

for (const [name, check] of Object.entries(checks)) {
  let error = "";
  try {
    await check();
  } catch (thrown) {
    error = thrown.stack ?? String(thrown);
  }
  console.log(JSON.stringify({ name, error }));
}
process.exit(0);
