import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Random } from "../../harness/random.ts";
import type { Server } from "../../harness/server.ts";
import type { Wire } from "../../harness/wire.ts";
import type { OpenStream } from "../grpc_client.ts";
import { SERVER_WIRES, ServerWires } from "../server_wires.ts";
import { ACTIONS, type LoadAction } from "./actions.ts";
import type { LoadObjects, LoadRole } from "./objects.ts";

const WEIGHTED: readonly LoadAction[] = Object.values(ACTIONS)
  .flatMap((action) => Array.from({ length: action.weight }, () => action));
/** The number of calls that may wait for their responses; beyond it the load waits too. */
const MAX_PENDING = 64;
const TICK_MILLISECONDS = 100;

/** Calls of many kinds over every wire, at a steady pace. */
export class MixedLoad {
  readonly server: Server;
  readonly objects: LoadObjects;
  readonly random: Random;
  readonly wires: ServerWires;
  /** Streams of nodes that are open. */
  readonly streams: OpenStream[] = [];
  /** Ids of objects that an action created and another one deletes. */
  readonly created: { records: bigint[]; groups: bigint[] } = { records: [], groups: [] };
  /** The number of responses that no action expected, by operation, wire and error. */
  readonly unexpected = new Map<string, number>();
  calls = 0;
  internal = 0;
  /** The number of calls whose connection was closed while they were sent, as a client must expect of an idle one. */
  noResponse = 0;
  #serial = 0;

  constructor(server: Server, objects: LoadObjects, random: Random) {
    this.server = server;
    this.objects = objects;
    this.random = random;
    this.wires = new ServerWires(server);
  }

  /** A number that no other call of this load gets. */
  serial(): number {
    return ++this.#serial;
  }

  /** Makes every call once over every wire. */
  async once(): Promise<void> {
    for (const wire of SERVER_WIRES) {
      for (const action of Object.values(ACTIONS)) await action.run(this, wire);
    }
  }

  /** Makes calls at random until `isOver`. */
  async run(callsPerSecond: number, isOver: () => boolean): Promise<void> {
    let pending = 0;
    let due = 0;
    while (!isOver()) {
      due += callsPerSecond * TICK_MILLISECONDS / 1000;
      for (; due >= 1 && pending < MAX_PENDING; due--) {
        pending++;
        const { run } = this.random.oneOf(WEIGHTED);
        void run(this, this.random.oneOf(SERVER_WIRES)).finally(() => pending--);
      }
      due = Math.min(due, callsPerSecond);
      await new Promise((resolve) => setTimeout(resolve, TICK_MILLISECONDS));
    }
  }

  /** Makes a call, counts how it ended, and returns its response if there is one. */
  async call<Input extends DescMessage, Output extends DescMessage>(
    wire: Wire,
    role: LoadRole | undefined,
    method: DescMethodUnary<Input, Output>,
    request: MessageInitShape<Input>,
    expected: readonly number[] = [200],
  ): Promise<MessageShape<Output> | undefined> {
    const token = role === undefined ? undefined : this.objects.tokens[role];
    const { code, reason, response } = await this.wires.call(wire, token, method, request);
    this.ended(`${method.name} over ${wire}`, code, reason, expected);
    return response;
  }

  /** Counts a call that has ended. */
  ended(name: string, code: number, reason: string, expected: readonly number[]): void {
    this.calls++;
    if (code === 500) this.internal++;
    if (code === 0) this.noResponse++;
    if (code === 0 || expected.includes(code)) return;
    const text = `${name}: ${code} ${reason}`;
    this.unexpected.set(text, (this.unexpected.get(text) ?? 0) + 1);
  }

  close(): void {
    for (const stream of this.streams.splice(0)) stream.cancel();
    this.wires.close();
  }
}
