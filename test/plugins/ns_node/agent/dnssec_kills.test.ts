import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { Random } from "../../../harness/random.ts";
import { delv, delvRuns } from "../../../servers/delv.ts";
import { knotRuns } from "../../../servers/knot.ts";
import { DNSSite, serves } from "./rig.ts";

const WAIT = { timeout: 120_000, interval: 100 };
const ROUNDS = 12;
const DOMAINS = ["one.test", "two.test", "three.test"];

test.skipIf(!knotRuns() || !delvRuns())(
  "agents and Knot that are killed while domains are signed and unsigned end as the server says",
  async () => {
    const random = new Random(7);
    await using site = await DNSSite.open();
    const { knot, agent } = await site.machine();
    const domains = new Map<string, { id: number; isSigned: boolean; address: string }>();
    for (const name of DOMAINS) domains.set(name, { id: await site.domain(name), isSigned: false, address: "" });
    for (let round = 0; round < ROUNDS; round++) {
      for (const domain of domains.values()) {
        const { id: nsDomainId } = domain;
        if (random.below(2) === 0) {
          domain.isSigned = !domain.isSigned;
          const operation = domain.isSigned ? "enableNSDomainDNSSEC" : "disableNSDomainDNSSEC";
          await site.call(`NSDNSSECService/${operation}`, { nsDomainId, ...!domain.isSigned && { isForced: true } });
        }
        domain.address = `192.0.2.${round + 1}`;
        await site.record(nsDomainId, `r${round}`, "A", domain.address);
      }
      // kills come at any step of the agent: calls take a while, of which there are few or many
      for (let calls = random.below(60); calls > 0; calls--) await site.call("NSDomainService/countAllNSDomains");
      await agent.kill();
      if (round % 4 === 3) await knot.kill();
      if (round % 8 === 7) await knot.forget();
      if (round % 4 === 3) await knot.restart();
      await agent.restart();
    }
    const last = `r${ROUNDS - 1}`;
    for (const [name, { id: nsDomainId, isSigned, address }] of domains) {
      await serves({ knot }, `${last}.${name}`, "A", address);
      const { dsRecords } = await site.call("NSDNSSECService/findNSDomainDNSSEC", { nsDomainId });
      if (isSigned) {
        await vi.waitFor(
          async () =>
            expect(await delv(knot.port, name, dsRecords, `${last}.${name}`, "A")).toContain("; fully validated"),
          WAIT,
        );
      } else {
        await vi.waitFor(async () => {
          expect(await knot.dig("+dnssec", `${last}.${name}`, "A")).not.toContain("RRSIG");
          expect(await knot.short(name, "DNSKEY")).toEqual([]);
        }, WAIT);
      }
      const keys = join(knot.folder, "db", "keys");
      const list = () => execFileSync("/usr/sbin/keymgr", ["-D", keys, "-j", name, "list"]).toString();
      await vi.waitFor(() => expect(list().match(/"tag"/g)?.length ?? 0).toBe(isSigned ? 2 : 0), WAIT);
    }
  },
);
