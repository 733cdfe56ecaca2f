import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Call, type Caller, RpcError } from "edgehelm";
import type { TestKernelOptions } from "../harness/kernel.ts";
import type { StandIn } from "./stand_ins.ts";
import { decodeValue, encodeValue } from "./values.ts";

interface Asked {
  readonly kind: StandIn["kind"];
  readonly name: string;
  readonly member: string;
  readonly caller: Caller;
  readonly values: readonly unknown[];
}

/** Answers the worker for the stubs and host parts of tests, which live in the test's process. */
export class Callbacks {
  readonly #server: Server;
  readonly #tests = new Map<string, Pick<TestKernelOptions, "stubs" | "hosts"> & { readonly call: () => Call }>();

  private constructor() {
    this.#server = createServer((request, response) => {
      void this.#answer(request).then((text) => response.end(text));
    });
  }

  static async start(): Promise<Callbacks> {
    const callbacks = new Callbacks();
    callbacks.#server.listen(0, "127.0.0.1").unref();
    await once(callbacks.#server, "listening");
    return callbacks;
  }

  /**
   * Where a test's stand-ins are reached.
   *
   * @param call what they get instead of the worker's call
   */
  add(id: string, { stubs, hosts }: TestKernelOptions, call: () => Call): string {
    this.#tests.set(id, { ...stubs && { stubs }, ...hosts && { hosts }, call });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${id}`;
  }

  remove(id: string): void {
    this.#tests.delete(id);
  }

  async #answer(request: IncomingMessage): Promise<string> {
    try {
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const asked = decodeValue(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).text()) as Asked;
      return encodeValue({ result: await this.#run(request.url!.slice(1), asked) });
    } catch (error) {
      if (!(error instanceof RpcError)) {
        return encodeValue({ fault: error instanceof Error ? error.message : String(error) });
      }
      const { reason, kind, message } = error;
      return encodeValue({ thrown: { reason, kind, message } });
    }
  }

  #run(id: string, { kind, name, member, caller, values }: Asked): unknown {
    const { stubs = [], hosts = {}, call } = this.#tests.get(id)!;
    const target = kind === "host" ? hosts[name] : stubs.find(({ contract }) => contract.id === name)?.implementation;
    const run = (target as Record<string, (call: Call, ...values: readonly unknown[]) => unknown>)[member]!;
    return run.call(target, callOf(call(), caller), ...values);
  }
}

/** The call with another caller. */
function callOf(call: Call, caller: Caller): Call {
  return new Proxy(call, {
    get(target, name) {
      if (name === "caller") return caller;
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

/** What a test has that the worker must call back for. */
export function standIns({ stubs = [], hosts = {} }: TestKernelOptions): StandIn[] {
  return [
    ...stubs.map(({ contract, implementation }) => standIn("stub", contract.id, implementation as object)),
    ...Object.entries(hosts).map(([name, host]) => standIn("host", name, host)),
  ];
}

function standIn(kind: StandIn["kind"], name: string, target: object): StandIn {
  const prototype = Object.getPrototypeOf(target);
  const names = [
    ...Object.keys(target),
    ...(prototype === Object.prototype ? [] : Object.getOwnPropertyNames(prototype)),
  ];
  return { kind, name, members: names.filter((one) => one !== "constructor") };
}
