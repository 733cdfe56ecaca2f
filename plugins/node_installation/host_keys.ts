import { type Call, type Clock, kernelErrors, unixSeconds } from "edgehelm";
import { errors } from "./errors.ts";
import type { HostKey } from "./machine.ts";
import type { HostKeyRow, HostKeyStore } from "./store.ts";

/** Runs work in a transaction. */
export type Transact = <Result>(work: (call: Call) => Promise<Result>) => Promise<Result>;

/** The address by which a host key is known. */
export interface KeyAddress {
  readonly host: string;
  readonly port: number;
}

/** A machine proved to be another one than before. */
export class HostKeyChangedError extends Error {
  override readonly name = "HostKeyChangedError";
  readonly address: KeyAddress;

  constructor(address: KeyAddress, known: string, offered: string) {
    const { host, port } = address;
    super(`the host key of ${host} port ${port} changed from ${known} to ${offered}: accept it if the machine is new`);
    this.address = address;
  }
}

/** The host keys of machines: the first key of a machine is kept, and another one is refused until it is accepted. */
export class HostKeys {
  readonly #store: HostKeyStore;
  readonly #clock: Clock;

  constructor(store: HostKeyStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Returns the algorithm of the key that is known; empty if there is none. */
  async typeOf(call: Call, { host, port }: KeyAddress): Promise<string> {
    return (await this.#store.find.first(call, { host, port: BigInt(port) }))?.type ?? "";
  }

  /** Compares the key that a machine offers with the one that is known, and keeps the first one. */
  async check(transact: Transact, address: KeyAddress, key: HostKey): Promise<HostKeyChangedError | undefined> {
    const { host, port } = address;
    return await transact(async (call) => {
      const known = await this.#store.find.first(call, { host, port: BigInt(port) });
      if (known === undefined) await this.#accept(call, address, key);
      if (known === undefined || known.fingerprint === key.fingerprint) return undefined;
      await this.#store.offer.run(call, { host, port: BigInt(port), ...key, now: unixSeconds(this.#clock) });
      return new HostKeyChangedError(address, known.fingerprint, key.fingerprint);
    });
  }

  /** Replaces the key of a machine by the one that it offered last, which a person has compared. */
  async accept(call: Call, address: KeyAddress, fingerprint: string): Promise<void> {
    const { offeredType, offeredFingerprint } = await this.#require(call, address);
    if (offeredFingerprint === "" || offeredFingerprint !== fingerprint) {
      throw errors.host_key_not_offered(address.host, address.port, fingerprint);
    }
    await this.#accept(call, address, { type: offeredType, fingerprint });
  }

  async remove(call: Call, address: KeyAddress): Promise<void> {
    const { host, port } = await this.#require(call, address);
    await this.#store.remove.run(call, { host, port });
  }

  async #require(call: Call, { host, port }: KeyAddress): Promise<HostKeyRow> {
    const row = await this.#store.find.first(call, { host, port: BigInt(port) });
    if (row === undefined) throw errors.host_key_not_found(host, port);
    return row;
  }

  async #accept(call: Call, { host, port }: KeyAddress, key: HostKey): Promise<void> {
    await this.#store.accept.run(call, {
      host,
      port,
      ...key,
      acceptedAt: unixSeconds(this.#clock),
      offeredType: "",
      offeredFingerprint: "",
      offeredAt: 0n,
    });
  }
}

/** Returns the error of an operation that needs SSH on a host without it. */
export function sshUnavailable(action: string) {
  return kernelErrors.unavailable(`${action} requires SSH, which this host does not have`);
}
