import { type Call, type Clock, unixSeconds } from "edgehelm";
import { PROGRAM_VERSION } from "edgehelm/runtime";
import type { Machine } from "./machine.ts";
import type { APINodeRow, APINodeStore } from "./store.ts";

/** The running instance, as one of the API nodes. */
export class Instance {
  readonly code: string;
  readonly #nodes: APINodeStore;
  readonly #clock: Clock;
  readonly #machine: Machine | undefined;

  constructor(code: string, deps: { nodes: APINodeStore; clock: Clock; machine: Machine | undefined }) {
    this.code = code;
    this.#nodes = deps.nodes;
    this.#clock = deps.clock;
    this.#machine = deps.machine;
  }

  /** Returns the version and the platform of this instance. */
  version(call: Call): { version: string; os: string; arch: string; role: string } {
    const { os = "", arch = "" } = this.#machine?.status(call) ?? {};
    return { version: PROGRAM_VERSION, os, arch, role: "api" };
  }

  /** Stores the current status and returns the API node, which is created if the instance has none yet. */
  async report(call: Call): Promise<APINodeRow> {
    const updatedAt = unixSeconds(this.#clock);
    const status = {
      buildVersion: PROGRAM_VERSION,
      ...this.#machine?.status(call),
      isActive: true,
      updatedAt: Number(updatedAt),
      timestamp: Number(updatedAt),
    };
    const statusJSON = new TextEncoder().encode(JSON.stringify(status));
    return await call.transact(async (inner) => {
      const { id } = await this.find(inner) ?? await this.#insert(inner);
      await this.#nodes.setStatus.run(inner, { id, statusJSON, statusUpdatedAt: updatedAt });
      return (await this.find(inner))!;
    });
  }

  find(call: Call): Promise<APINodeRow | undefined> {
    return this.#nodes.byInstance.first(call, { instanceCode: this.code });
  }

  /** The first API node is the primary one. */
  async #insert(call: Call): Promise<{ id: bigint }> {
    return await this.#nodes.insert.one(call, {
      uniqueId: crypto.randomUUID().replaceAll("-", ""),
      instanceCode: this.code,
      name: this.code,
      description: "",
      isOn: true,
      isPrimary: await this.#nodes.primary.first(call, {}) === undefined,
      restIsOn: true,
      httpJSON: null,
      httpsJSON: null,
      restHTTPJSON: null,
      restHTTPSJSON: null,
      accessAddrsJSON: null,
    });
  }
}
