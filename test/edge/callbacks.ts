import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Call, RpcError } from "edgehelm";
import type { Caller } from "edgehelm/auth";
import type { TestKernelOptions } from "../harness/kernel.ts";
import type { CallbackTarget } from "./callback_targets.ts";
import { decodeValue, encodeValue } from "./values.ts";

interface CallbackRequest {
  readonly kind: CallbackTarget["kind"];
  readonly name: string;
  readonly member: string;
  readonly caller: Caller;
  readonly values: readonly unknown[];
}

/** Serves the worker's calls of stubs and host parts, which exist only in the process of the tests. */
export class Callbacks {
  readonly #server: Server;
  readonly #tests = new Map<string, Pick<TestKernelOptions, "stubs" | "hosts"> & { readonly call: () => Call }>();

  private constructor() {
    this.#server = createServer((request, response) => {
      void this.#respond(request).then((text) => response.end(text));
    });
  }

  static async start(): Promise<Callbacks> {
    const callbacks = new Callbacks();
    callbacks.#server.listen(0, "127.0.0.1").unref();
    await once(callbacks.#server, "listening");
    return callbacks;
  }

  /**
   * Registers the stubs and host parts of a test.
   *
   * @param call returns the call that they get in place of the worker's call
   * @returns the URL at which the worker reaches them
   */
  add(id: string, { stubs, hosts }: TestKernelOptions, call: () => Call): string {
    this.#tests.set(id, { ...stubs && { stubs }, ...hosts && { hosts }, call });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${id}`;
  }

  remove(id: string): void {
    this.#tests.delete(id);
  }

  async #respond(request: IncomingMessage): Promise<string> {
    try {
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const callback = decodeValue(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).text()) as CallbackRequest;
      return encodeValue({ result: await this.#run(request.url!.slice(1), callback) });
    } catch (error) {
      if (!(error instanceof RpcError)) {
        return encodeValue({ internalError: error instanceof Error ? error.message : String(error) });
      }
      const { reason, kind, message } = error;
      return encodeValue({ rpcError: { reason, kind, message } });
    }
  }

  #run(id: string, { kind, name, member, caller, values }: CallbackRequest): unknown {
    const { stubs = [], hosts = {}, call } = this.#tests.get(id)!;
    const target = kind === "host" ? hosts[name] : stubs.find(({ contract }) => contract.id === name)?.implementation;
    const run = (target as Record<string, (call: Call, ...values: readonly unknown[]) => unknown>)[member]!;
    return run.call(target, withCaller(call(), caller), ...values);
  }
}

/** Returns the call with another caller. */
function withCaller(call: Call, caller: Caller): Call {
  return new Proxy(call, {
    get(target, name) {
      if (name === "caller") return caller;
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

/** Lists the stubs and host parts of a test, which the worker must call back for. */
export function callbackTargets({ stubs = [], hosts = {} }: TestKernelOptions): CallbackTarget[] {
  return [
    ...stubs.map(({ contract, implementation }) => callbackTarget("stub", contract.id, implementation as object)),
    ...Object.entries(hosts).map(([name, host]) => callbackTarget("host", name, host)),
  ];
}

function callbackTarget(kind: CallbackTarget["kind"], name: string, target: object): CallbackTarget {
  const prototype = Object.getPrototypeOf(target);
  const names = [
    ...Object.keys(target),
    ...(prototype === Object.prototype ? [] : Object.getOwnPropertyNames(prototype)),
  ];
  return { kind, name, members: names.filter((member) => member !== "constructor") };
}
