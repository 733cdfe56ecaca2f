import { createServer, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { knotRuns } from "../../../servers/knot.ts";
import { DNSSite, type Machine, serves } from "./rig.ts";

/** A site at two loopback addresses, of which each can go down. */
class TwoAddresses implements AsyncDisposable {
  static readonly ADDRESSES = ["127.0.0.1", "127.0.0.2"];
  readonly #servers = new Map<string, Server>();
  port = 0;

  async up(...addresses: string[]): Promise<void> {
    for (const address of addresses) {
      const server = createServer((socket) => socket.destroy());
      await new Promise<void>((resolve) => server.listen(this.port, address, resolve));
      this.port = (server.address() as { port: number }).port;
      this.#servers.set(address, server);
    }
  }

  async down(...addresses: string[]): Promise<void> {
    for (const address of addresses) {
      await new Promise((resolve) => this.#servers.get(address)?.close(resolve));
      this.#servers.delete(address);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.down(...this.#servers.keys());
  }
}

describe.skipIf(!knotRuns())("health checks of an agent", () => {
  const [first, second] = TwoAddresses.ADDRESSES as [string, string];
  const addresses = new TwoAddresses();
  let site: DNSSite;
  let machine: Machine;
  let nsDomainId: number;
  const ids: number[] = [];
  beforeAll(async () => {
    await addresses.up(first, second);
    site = await DNSSite.open();
    machine = await site.machine();
    nsDomainId = await site.domain("checked.test");
    for (const address of TwoAddresses.ADDRESSES) ids.push(await site.record(nsDomainId, "www", "A", address));
    await checkDomain(true);
  });
  afterAll(async () => {
    await site?.[Symbol.asyncDispose]();
    await addresses[Symbol.asyncDispose]();
  });

  async function checkDomain(isOn: boolean): Promise<void> {
    const check = { isOn, port: addresses.port, timeoutSeconds: 1, countUp: 2, countDown: 2 };
    const nsDomainRecordsHealthCheckJSON = Buffer.from(JSON.stringify(check)).toString("base64");
    await site.call("NSDomainService/updateNSDomainRecordsHealthCheck", { nsDomainId, nsDomainRecordsHealthCheckJSON });
  }

  async function isUp(nsRecordId: number): Promise<boolean> {
    return (await site.call("NSRecordService/findNSRecord", { nsRecordId })).nsRecord.isUp;
  }

  test("take an address that refuses connections out, and back in", async () => {
    await serves(machine, "www.checked.test", "A", first, second);
    await addresses.down(first);
    await serves(machine, "www.checked.test", "A", second);
    expect(await Promise.all(ids.map(isUp))).toEqual([false, true]);
    await addresses.up(first);
    await serves(machine, "www.checked.test", "A", first, second);
    expect(await Promise.all(ids.map(isUp))).toEqual([true, true]);
  });

  test("take an address back in that came up while the agent did not run", async () => {
    await addresses.down(second);
    await serves(machine, "www.checked.test", "A", first);
    await machine.agent.kill();
    await addresses.up(second);
    await machine.agent.restart();
    await serves(machine, "www.checked.test", "A", first, second);
  });

  test("leave all addresses in the answer when none is up", async () => {
    await addresses.down(first, second);
    await expect.poll(() => Promise.all(ids.map(isUp))).toEqual([false, false]);
    await serves(machine, "www.checked.test", "A", first, second);
    await addresses.up(first, second);
    await expect.poll(() => Promise.all(ids.map(isUp))).toEqual([true, true]);
  });

  test("do not reach addresses whose check is off", async () => {
    const off = Buffer.from(JSON.stringify({ isOn: false })).toString("base64");
    await site.call("NSRecordService/updateNSRecordHealthCheck", {
      nsRecordId: ids[0],
      nsRecordHealthCheckJSON: off,
    });
    await addresses.down(first, second);
    await expect.poll(() => isUp(ids[1]!)).toBe(false);
    expect(await isUp(ids[0]!)).toBe(true);
    await addresses.up(first, second);
  });
});
