import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runToEnd } from "../../../harness/server.ts";
import { knotRuns } from "../../../servers/knot.ts";
import { DNSSite, type Machine, refuses, serialOf, serves } from "./rig.ts";

describe.skipIf(!knotRuns())("an agent with Knot, of which parts die", () => {
  let site: DNSSite;
  let machine: Machine;
  let nsDomainId: number;
  let address = 0;
  beforeAll(async () => {
    site = await DNSSite.open();
    machine = await site.machine();
    nsDomainId = await site.domain("crash.test");
    await site.record(nsDomainId, "stays", "A", "192.0.2.100");
    await serves(machine, "stays.crash.test", "A", "192.0.2.100");
  });
  afterAll(() => site?.[Symbol.asyncDispose]());

  /** Creates a record, and returns its name and value. */
  async function recordOf(name: string) {
    const value = `192.0.2.${++address}`;
    return { nsRecordId: await site.record(nsDomainId, name, "A", value), name: `${name}.crash.test`, value };
  }

  test("continues after the agent was killed, with all that changed meanwhile", async () => {
    const gone = await recordOf("gone");
    const other = await site.domain("other.test");
    await serves(machine, gone.name, "A", gone.value);
    await serves(machine, "other.test", "NS", "ns1.edge.test.", "ns2.edge.test.");
    const before = await serialOf(machine, "crash.test");
    await machine.agent.kill();
    await site.call("NSRecordService/deleteNSRecord", { nsRecordId: gone.nsRecordId });
    await site.call("NSDomainService/deleteNSDomain", { nsDomainId: other });
    const added = await recordOf("added");
    // Knot goes on without it
    await serves(machine, gone.name, "A", gone.value);
    await machine.agent.restart();
    await serves(machine, added.name, "A", added.value);
    await serves(machine, gone.name, "A");
    await refuses(machine, "other.test");
    expect(await serialOf(machine, "crash.test")).toBeGreaterThan(before);
  });

  test("continues after Knot was killed, and has it serve again what its disk lost", async () => {
    await machine.knot.kill();
    const first = await recordOf("first");
    await machine.knot.restart();
    await serves(machine, first.name, "A", first.value);
    await machine.knot.kill();
    await machine.knot.forget();
    await machine.knot.restart();
    await serves(machine, first.name, "A", first.value);
  });

  test("connects again after the server was killed, and serves while it is away", async () => {
    await site.killServer(() => serves(machine, "stays.crash.test", "A", "192.0.2.100"));
    const { name, value } = await recordOf("again");
    await serves(machine, name, "A", value);
  });

  test("ends with what a restored installation has, also after that counted to the same versions", async () => {
    const backup = join(site.environment["EDGEHELM_DATA"]!, "..", "zones.backup");
    const run = async (...args: string[]) => {
      const { code, output } = await runToEnd(args, site.environment);
      expect({ code, output }).toMatchObject({ code: 0 });
    };
    await run("backup", backup);
    const lost = await recordOf("lost");
    const lostDomain = await site.domain("lost.test");
    await site.record(lostDomain, "www", "A", "192.0.2.1");
    await serves(machine, lost.name, "A", lost.value);
    await serves(machine, "www.lost.test", "A", "192.0.2.1");
    const before = await serialOf(machine, "crash.test");
    await site.killServer(() => run("restore", backup, "--force"));
    await serves(machine, lost.name, "A");
    await refuses(machine, "lost.test");
    const restored = await serialOf(machine, "crash.test");
    expect(restored).toBeGreaterThan(before);
    const after = await recordOf("after");
    await serves(machine, after.name, "A", after.value);
    await serves(machine, "stays.crash.test", "A", "192.0.2.100");
    expect(await serialOf(machine, "crash.test")).toBeGreaterThan(restored);
  });

  test("keeps what others configured in Knot", async () => {
    machine.knot.knotc("conf-begin");
    machine.knot.knotc("conf-set", "zone[unknown.test]");
    machine.knot.knotc("conf-commit");
    await machine.agent.kill();
    await machine.agent.restart();
    const { name, value } = await recordOf("beside");
    await serves(machine, name, "A", value);
    expect(machine.knot.knotc("conf-read", "zone")).toContain("unknown.test.");
  });

  test("runs on Deno as well", async () => {
    await machine.agent.kill();
    await machine.agent.restart([process.env["DENO"] ?? "deno", "run", "-A", "--quiet"]);
    const { name, value } = await recordOf("deno");
    await serves(machine, name, "A", value);
    await machine.agent.kill();
    await machine.agent.restart();
  });

  test("tests whether it can work, and says why not", async () => {
    const { name, value } = await recordOf("end");
    await serves(machine, name, "A", value);
    expect(await machine.agent.kill("SIGTERM")).toBe(0);
    expect(await machine.agent.test()).toMatchObject({ code: 0 });
    await machine.knot.kill();
    expect(await machine.agent.test()).toMatchObject({ code: 1, output: expect.stringMatching(/knot: .*connect/) });
    await machine.knot.restart();
    const { server } = site;
    server.kill();
    await server.ended;
    expect(await machine.agent.test()).toMatchObject({
      code: 1,
      output: expect.stringMatching(/rpc: .*ECONNREFUSED/),
    });
    await machine.agent.kill("SIGTERM");
    expect(machine.agent.output).not.toContain("SIGTERM");
  });
});
