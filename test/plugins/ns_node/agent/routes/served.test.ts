import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { delv, delvRuns } from "../../../../servers/delv.ts";
import { knotRuns } from "../../../../servers/knot.ts";
import { geoipRuns, startKnotWithGeoip } from "../../../../servers/geoip/knot_geoip.ts";
import { DNSSite, type Machine, refuses, serves } from "../rig.ts";

const WAIT = { timeout: 120_000, interval: 50 };
/** Clients at two loopback addresses, and a client that a resolver names. */
const [HERE, THERE] = ["127.0.0.0/30", "127.0.0.8/29"];

describe.skipIf([knotRuns(), geoipRuns(), delvRuns()].includes(false))(
  "routes and weights of an agent with Knot",
  () => {
    let site: DNSSite;
    let machine: Machine;
    beforeAll(async () => {
      site = await DNSSite.open();
      machine = await site.machine(startKnotWithGeoip);
    });
    afterAll(() => site?.[Symbol.asyncDispose]());

    const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");
    const cidr = (network: string) => ({ type: "cidr", params: { cidr: network } });

    async function route(name: string, ranges: object[], more: object = {}): Promise<number> {
      const request = { name, rangesJSON: json(ranges), isPublic: true, ...more };
      return (await site.call("NSRouteService/createNSRoute", request)).nsRouteId;
    }

    const change = (nsRouteId: number, name: string, ranges: object[], more: object = {}) =>
      site.call("NSRouteService/updateNSRoute", {
        ...{ nsRouteId, name, rangesJSON: json(ranges), isPublic: true, isOn: true, ...more },
      });

    /** Returns the data of the records for a client, sorted. */
    async function asked(from: string, name: string, type = "A", machineOf = machine): Promise<string[]> {
      const source = from.includes("/") ? [`+subnet=${from}`] : ["-b", from];
      return (await machineOf.knot.dig("+short", ...source, name, type)).split("\n").filter((line) => line !== "")
        .sort();
    }

    const answers = (from: string, name: string, type: string, ...data: string[]) =>
      vi.waitFor(async () => expect(await asked(from, name, type)).toEqual(data.sort()), WAIT);

    test("clients of a route get its records, others the default ones, and all get what has no route", async () => {
      const here = await route("here", [cidr(HERE)]);
      const range = { type: "ipRange", params: { ipFrom: "198.51.100.3", ipTo: "198.51.100.77" } };
      const range6 = { type: "ipRange", params: { ipFrom: "2001:db8::5", ipTo: "2001:db8:1::" } };
      const far = await route("far", [range, range6]);
      const nsDomainId = await site.domain("routes.test");
      const put = (value: string, codes: string[], type = "A", name = "www") =>
        site.record(nsDomainId, name, type, value, { nsRouteCodes: codes });
      await put("192.0.2.1", [`id:${here}`]);
      await put("192.0.2.2", [`id:${here}`]);
      await put("192.0.2.3", [`id:${far}`]);
      await put("192.0.2.9", ["default"]);
      await put('say "hi" \\ there', [`id:${here}`], "TXT");
      await put("everyone", [], "TXT", "text");
      await put("192.0.2.5", [`id:${far}`], "A", "@");
      await answers("127.0.0.1", "www.routes.test", "A", "192.0.2.1", "192.0.2.2");
      await answers("127.0.0.5", "www.routes.test", "A", "192.0.2.9");
      await answers("198.51.100.77/32", "www.routes.test", "A", "192.0.2.3");
      await answers("198.51.100.78/32", "www.routes.test", "A", "192.0.2.9");
      await answers("198.51.100.2/32", "www.routes.test", "A", "192.0.2.9");
      await answers("2001:db8::5/128", "www.routes.test", "A", "192.0.2.3");
      await answers("2001:db8::4/128", "www.routes.test", "A", "192.0.2.9");
      await answers("127.0.0.1", "www.routes.test", "TXT", '"say \\"hi\\" \\\\ there"');
      await answers("127.0.0.5", "www.routes.test", "TXT");
      await answers("127.0.0.1", "text.routes.test", "TXT", '"everyone"');
      await answers("198.51.100.5/32", "routes.test", "A", "192.0.2.5");
      await answers("127.0.0.1", "routes.test", "NS", "ns1.edge.test.", "ns2.edge.test.");
      const ttl = await machine.knot.dig("+noall", "+answer", "www.routes.test", "A");
      expect(ttl).toMatch(/^www\.routes\.test\.\s+600\s/m);
    });

    test("the route with the highest priority wins, then that which comes first", async () => {
      const ids = [await route("all", [cidr("127.0.0.0/8")]), await route("some", [cidr(HERE)])];
      const nsDomainId = await site.domain("order.test");
      for (const [index, id] of ids.entries()) {
        await site.record(nsDomainId, "www", "A", `192.0.2.${index}`, { nsRouteCodes: [`id:${id}`] });
      }
      await answers("127.0.0.1", "www.order.test", "A", "192.0.2.1");
      await answers("127.0.0.9", "www.order.test", "A", "192.0.2.0");
      await change(ids[0]!, "all", [cidr("127.0.0.0/8")], { priority: 5 });
      await answers("127.0.0.1", "www.order.test", "A", "192.0.2.0");
      await change(ids[0]!, "all", [{ type: "cidr", params: { cidr: HERE, isReverse: true } }], { priority: 5 });
      await answers("127.0.0.1", "www.order.test", "A", "192.0.2.1");
      await answers("127.0.0.9", "www.order.test", "A", "192.0.2.0");
      await change(ids[0]!, "all", [cidr("127.0.0.0/8")], { priority: 5, isOn: false });
      await answers("127.0.0.9", "www.order.test", "A");
    });

    test("records are chosen by their weights, and of several aliases a client gets one", async () => {
      const nsDomainId = await site.domain("weights.test");
      for (const [value, weight] of [["192.0.2.1", 30], ["192.0.2.2", 0]] as const) {
        await site.record(nsDomainId, "www", "A", value, { weight });
      }
      for (const value of ["192.0.2.3", "192.0.2.4"]) await site.record(nsDomainId, "even", "A", value);
      for (const value of ["a.example.", "b.example."]) await site.record(nsDomainId, "alias", "CNAME", value);
      await serves(machine, "even.weights.test", "A", "192.0.2.3", "192.0.2.4");
      await vi.waitFor(async () => expect(await asked("127.0.0.1", "www.weights.test")).toHaveLength(1), WAIT);
      const counts = async (name: string, type: string) => {
        const lines = (await machine.knot.dig("+short", ...Array(400).fill([name, type]).flat())).split("\n")
          .filter((line) => /^[^;]/.test(line));
        return Map.groupBy(lines, (line) => line);
      };
      const found = await counts("www.weights.test", "A");
      expect([...found.keys()].sort()).toEqual(["192.0.2.1", "192.0.2.2"]);
      // 300 of 400 are expected; so few or so many come about once in 10^14 times
      expect(found.get("192.0.2.1")!.length).toBeGreaterThan(230);
      expect(found.get("192.0.2.1")!.length).toBeLessThan(365);
      expect([...(await counts("alias.weights.test", "A")).keys()].sort()).toEqual(["a.example.", "b.example."]);
      expect(machine.agent.output).not.toContain("Knot refused a record");
    });

    test("a signed zone has valid signatures for the clients of each route, also with other keys", async () => {
      const here = await route("signed", [cidr(HERE)]);
      const nsDomainId = await site.domain("signed.test");
      await site.record(nsDomainId, "www", "A", "192.0.2.9");
      await site.record(nsDomainId, "www", "A", "192.0.2.1", { nsRouteCodes: [`id:${here}`] });
      await answers("127.0.0.1", "www.signed.test", "A", "192.0.2.1");
      await site.call("NSDNSSECService/enableNSDomainDNSSEC", { nsDomainId });
      const { dsRecords } = await site.call("NSDNSSECService/findNSDomainDNSSEC", { nsDomainId });
      await vi.waitFor(async () => {
        const output = await delv(machine.knot.port, "signed.test", dsRecords, "www.signed.test", "A");
        expect(output).toContain("; fully validated");
        expect(output).toContain("192.0.2.1");
      }, WAIT);
      await site.call("NSDNSSECService/startNSDomainKSKRollover", { nsDomainId });
      const { dsRecords: both } = await site.call("NSDNSSECService/findNSDomainDNSSEC", { nsDomainId });
      await vi.waitFor(async () => expect(await machine.knot.short("signed.test", "DNSKEY")).toHaveLength(3), WAIT);
      for (const ds of both) {
        await vi.waitFor(async () => {
          const output = await delv(machine.knot.port, "signed.test", [ds], "www.signed.test", "A");
          expect(output).toContain("; fully validated");
        }, WAIT);
      }
      expect(await machine.knot.dig("+dnssec", "-b", "127.0.0.5", "www.signed.test", "A")).toMatch(
        /192\.0\.2\.9[^]*RRSIG/,
      );
    });

    test("go on after Knot or the agent was killed, and go with the domain", async () => {
      const here = await route("kept", [cidr(HERE)]);
      const nsDomainId = await site.domain("kept.test");
      await site.record(nsDomainId, "www", "A", "192.0.2.1", { nsRouteCodes: [`id:${here}`] });
      await site.record(nsDomainId, "www", "A", "192.0.2.9");
      await answers("127.0.0.1", "www.kept.test", "A", "192.0.2.1");
      await machine.knot.kill();
      await machine.knot.restart();
      await answers("127.0.0.1", "www.kept.test", "A", "192.0.2.1");
      await machine.agent.kill();
      await change(here, "kept", [cidr(THERE)]);
      await machine.agent.restart();
      await answers("127.0.0.1", "www.kept.test", "A", "192.0.2.9");
      await answers("127.0.0.9", "www.kept.test", "A", "192.0.2.1");
      await site.call("NSDomainService/deleteNSDomain", { nsDomainId });
      await refuses(machine, "kept.test");
      await vi.waitFor(
        () => expect(machine.knot.knotc("conf-read", "mod-geoip")).not.toContain(`edgehelm-${nsDomainId}-`),
        WAIT,
      );
    });
  },
);
