import process from "node:process";
import { encodeHeaderBlock } from "../../../../core/net/hpack/encoder.ts";
import { concatBytes, frameBytes, Http2Client } from "../../../harness/http2_client.ts";
import { random, texts } from "./random.ts";
import { REQUEST, rig, stillServes, uint32 } from "./rig.ts";

/** The result of a run of mutated frame sequences. */
export interface FuzzResult {
  readonly sequences: number;
  /** The defects of the server that were found, each with the seed of its sequence. */
  readonly errors: readonly string[];
  readonly memoryMegabytes: number;
}

const NEIGHBOUR_EVERY = 1000;

/**
 * Sends mutated sequences of frames to one server, each over its own connection, while a neighbour must be served all
 * the time. The seed determines a sequence, so that a failing one can be repeated alone.
 */
export async function fuzz(firstSeed: number, sequences: number): Promise<FuzzResult> {
  const { server, paths, aborted, held } = rig();
  const neighbour = Http2Client.connect(server);
  const errors: string[] = [];
  for (let number = 0; number < sequences; number++) {
    const next = random(firstSeed + number);
    const client = new Http2Client(server);
    try {
      for (const chunk of chunksOf(next, mutated(next, sequence(next)))) client.send(chunk);
    } catch (error) {
      errors.push(`seed ${firstSeed + number}: ${error instanceof Error ? error.stack : error}`);
    }
    if (number % NEIGHBOUR_EVERY === 0) {
      server.sweep(Date.now());
      await stillServes(neighbour, 1 + number / NEIGHBOUR_EVERY * 2);
      for (const list of [neighbour.frames, paths, aborted, held]) list.length = 0;
    }
    if (number % 50 === 0) await Promise.resolve();
    client.close();
  }
  if (server.size !== 1) errors.push(`${server.size} connections remain instead of 1`);
  return { sequences, errors, memoryMegabytes: Math.round(process.memoryUsage().rss / 2 ** 20) };
}

type Next = () => number;
type Make = (next: Next, streamId: number) => Uint8Array;

const BLOCKS = [
  encodeHeaderBlock(REQUEST),
  encodeHeaderBlock([...REQUEST, ["content-type", "application/grpc"], ["te", "trailers"]]),
  Uint8Array.of(0x40, 1, 97, 1, 98, 0xbe, 0xbe, 0x82),
  Uint8Array.of(0x3f, 0xe1, 0x1f, 0x82, 0x86, 0x84),
];

/** Generators of frames as clients send them; common frames have several. */
const FRAMES: readonly Make[] = [
  (next, id) => frameBytes(1, next() & 5 | 4, id, BLOCKS[next() % BLOCKS.length]),
  (next, id) => frameBytes(1, 4, id, encodeHeaderBlock([...REQUEST, [texts.name(next), texts.value(next)]])),
  (next, id) => frameBytes(1, next() & 1, id, BLOCKS[next() % BLOCKS.length]!.subarray(0, next() % 12)),
  (next, id) => frameBytes(9, next() & 4, id, BLOCKS[next() % BLOCKS.length]!.subarray(next() % 8)),
  (next, id) => frameBytes(0, next() & 1, id, new Uint8Array(next() % 300)),
  (next, id) => frameBytes(0, next() & 9 | 8, id, [next() % 20, ...new Uint8Array(next() % 30)]),
  (next, id) => frameBytes(8, 0, next() & 1 && id, uint32(next() % 5 === 0 ? next() : 1 + next() % 1000)),
  (next, id) => frameBytes(3, 0, id, uint32(next() % 14)),
  (next) => frameBytes(4, next() % 5 === 0 ? 1 : 0, 0, [0, 1 + next() % 7, ...uint32(next() >>> next() % 31)]),
  (next) => frameBytes(6, next() & 1, 0, Array(8).fill(next())),
  (next, id) => frameBytes(2, 0, id, [0, 0, 0, 0, next()]),
  (next) => frameBytes(7, 0, 0, [...uint32(next()), ...uint32(0)]),
  (next, id) => frameBytes(next() % 256, next(), id, new Uint8Array(next() % 20)),
];

function sequence(next: Next): Uint8Array {
  const frames = [new TextEncoder().encode("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), frameBytes(4, 0, 0)];
  let streamId = 1;
  for (let count = 1 + next() % 14; count > 0; count--) {
    if (next() % 3 === 0) streamId += 2;
    frames.push(FRAMES[next() % FRAMES.length]!(next, next() % 8 === 0 ? next() % 9 : streamId));
  }
  return concatBytes(frames);
}

/** Changes, removes, repeats or inserts a few bytes. A quarter of the sequences stays unchanged. */
function mutated(next: Next, bytes: Uint8Array): Uint8Array {
  if (next() % 4 === 0) return bytes;
  // The preface is rarely changed, because the server would ignore everything after it.
  const from = next() % 50 === 0 ? 0 : 24;
  let list = bytes;
  for (let count = 1 + next() % 4; count > 0; count--) {
    const at = from + next() % Math.max(1, list.length - from);
    switch (next() % 4) {
      case 0:
        list[at] = next();
        break;
      case 1:
        list = concatBytes([list.subarray(0, at), list.subarray(at + 1 + next() % 9)]);
        break;
      case 2:
        list = concatBytes([list.subarray(0, at), list.subarray(Math.max(from, at - next() % 40))]);
        break;
      default:
        list = concatBytes([list.subarray(0, at), Uint8Array.of(next(), next()), list.subarray(at)]);
    }
  }
  return list;
}

/** Splits bytes at random offsets, as a socket might. */
function chunksOf(next: Next, bytes: Uint8Array): Uint8Array[] {
  if (next() % 2 === 0) return [bytes];
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + next() % 60;
    chunks.push(bytes.subarray(at, end));
    at = end;
  }
  return chunks;
}

if (import.meta.main) {
  const [seed = "1", sequences = "1000000"] = process.argv.slice(2);
  console.log(JSON.stringify(await fuzz(Number(seed), Number(sequences)), null, 2));
}
