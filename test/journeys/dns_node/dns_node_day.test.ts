import { expect, onTestFailed, test, vi } from "vitest";
import { refuses, serves } from "../../plugins/ns_node/agent/rig.ts";
import { delvRuns } from "../../servers/delv.ts";
import { Knot, knotRuns } from "../../servers/knot.ts";
import { sshdRuns } from "../../servers/sshd.ts";
import { Address, Journey, WAIT } from "./machine.ts";

const KEY = "transfer.test";
const SECRET = Buffer.from("not a secret, only a test").toString("base64");
const json = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64");

test.skipIf([knotRuns(), sshdRuns(), delvRuns()].includes(false))(
  "DNS: from an empty machine to signed responses, transfers, health checks, suspensions, a crash and statistics",
  async () => {
    await using journey = await Journey.begin();
    const { transcript, knot, dns } = journey;
    onTestFailed(() => console.log(transcript.text));

    transcript.part("An empty machine becomes a node");
    const steps = await journey.install();
    expect(steps.map(({ code }) => code)).toEqual(expect.arrayContaining(["upload", "test", "start"]));
    const { nsNodeId, port } = journey;

    transcript.part("A domain and its records are served");
    const nsClusterId = dns.nsClusterId;
    const { nsDomainId } = await journey.call("NSDomainService/createNSDomain", { nsClusterId, name: "shop.test" });
    await using first = await new Address("127.0.0.1").up();
    await using second = await new Address("127.0.0.2").up(first.port);
    const ids: number[] = [];
    for (const { address } of [first, second]) {
      const record = { nsDomainId, name: "www", type: "A", value: address };
      ids.push((await journey.call("NSRecordService/createNSRecord", record)).nsRecordId);
    }
    await dns.record(nsDomainId, "@", "MX", "mail", { mxPriority: 10 });
    await dns.record(nsDomainId, "blog", "CNAME", "www");
    await serves(journey, "blog.shop.test", "A", "127.0.0.1", "127.0.0.2", "www.shop.test.");
    await journey.noteDig("blog.shop.test", "A");
    await serves(journey, "shop.test", "NS", "ns1.edge.test.");

    transcript.part("The domain is signed, and a resolver validates it");
    await journey.call("NSDNSSECService/enableNSDomainDNSSEC", { nsDomainId });
    const { dsRecords } = await dns.call("NSDNSSECService/findNSDomainDNSSEC", { nsDomainId });
    transcript.note("POST /NSDNSSECService/findNSDomainDNSSEC", { dsRecords });
    await journey.validates(port, "shop.test", dsRecords, "www.shop.test");
    await journey.noteDig("+dnssec", "shop.test", "MX");

    transcript.part("A second server transfers the zone with a key, and no one without it");
    const key = { nsDomainId, name: KEY, algo: "hmac-sha256.", secret: SECRET, secretType: "base64" };
    await dns.call("NSKeyService/createNSKey", key);
    await journey.call("NSDomainService/updateNSDomainTSIG", { nsDomainId, tsigJSON: json({ isOn: true }) });
    const signed = `hmac-sha256:${KEY}:${SECRET}`;
    await vi.waitFor(async () => {
      expect(await knot.dig("AXFR", "shop.test", "-y", signed)).toMatch(/blog\.shop\.test\.\s.*CNAME/);
    }, WAIT);
    await journey.noteDig("AXFR", "shop.test", "-y", signed);
    expect(await knot.dig("AXFR", "shop.test")).toContain("Transfer failed");
    transcript.note("dig AXFR shop.test", await knot.dig("AXFR", "shop.test"));
    await using secondary = await Knot.start(secondaryOf(port));
    await serves({ knot: secondary }, "www.shop.test", "A", "127.0.0.1", "127.0.0.2");
    await journey.validates(secondary.port, "shop.test", dsRecords, "www.shop.test");

    transcript.part("An address that is down leaves the responses, and comes back");
    const check = { isOn: true, port: first.port, timeoutSeconds: 1, countUp: 2, countDown: 2 };
    const ofDomain = { nsDomainId, nsDomainRecordsHealthCheckJSON: json(check) };
    await journey.call("NSDomainService/updateNSDomainRecordsHealthCheck", ofDomain);
    await first.down();
    await serves(journey, "www.shop.test", "A", "127.0.0.2");
    await journey.noteDig("www.shop.test", "A");
    await serves({ knot: secondary }, "www.shop.test", "A", "127.0.0.2");
    const states = await journey.call("NSRecordService/listNSRecordHealthStates", { nsDomainId });
    expect(states).toMatchObject({ countActiveNodes: 1, healthStates: [{ state: "down" }, { state: "up" }] });
    expect(states.healthStates[0].reports).toMatchObject([{ nsNodeId, nsNodeName: "ns1" }]);
    await first.up();
    await serves(journey, "www.shop.test", "A", "127.0.0.1", "127.0.0.2");
    await journey.validates(port, "shop.test", dsRecords, "www.shop.test");

    if (journey.hasRoutes) {
      transcript.part("Clients of a route get its records, with signatures");
      const rangesJSON = json([{ type: "cidr", params: { cidr: "127.0.0.8/29" } }]);
      const { nsRouteId } = await journey.call("NSRouteService/createNSRoute", {
        name: "near",
        rangesJSON,
        isPublic: true,
      });
      const near = { nsDomainId, name: "near", type: "A", value: "192.0.2.8", nsRouteCodes: [`id:${nsRouteId}`] };
      await journey.call("NSRecordService/createNSRecord", near);
      await journey.call("NSRecordService/createNSRecord", { ...near, value: "192.0.2.7", nsRouteCodes: [] });
      for (const [from, value] of [["127.0.0.9", "192.0.2.8"], ["127.0.0.1", "192.0.2.7"]] as const) {
        const asked = ["-b", from, "near.shop.test", "A"];
        await vi.waitFor(async () => expect(await knot.dig("+short", ...asked)).toBe(`${value}\n`), WAIT);
        expect(await journey.noteDig("+dnssec", ...asked)).toContain("RRSIG");
      }
      await journey.validates(port, "shop.test", dsRecords, "near.shop.test");
    }

    transcript.part("A domain that is turned off, forbidden, or of a suspended customer is not served");
    const person = { username: "ada", password: "ada walks in the rain", fullname: "Ada" };
    const { userId } = await dns.call("UserService/createUser", person);
    const own = { nsClusterId, name: "ada.test", userId };
    const { nsDomainId: adas } = await journey.call("NSDomainService/createNSDomain", own);
    await dns.record(adas, "www", "A", "192.0.2.1");
    await serves(journey, "www.ada.test", "A", "192.0.2.1");
    const { user } = await dns.call("UserService/findEnabledUser", { userId });
    const turns = [
      ["NSDomainService/updateNSDomain", { nsDomainId: adas, nsClusterId, userId, isOn: false }, { isOn: true }],
      ["NSDomainService/updateNSDomainStatus", { nsDomainId: adas, status: "forbidden" }, { status: "verified" }],
      ["UserService/updateUser", { ...user, userId, isOn: false }, { isOn: true }],
    ] as const;
    for (const [path, away, back] of turns) {
      await dns.call(path, away);
      await refuses(journey, "www.ada.test");
      transcript.note(`POST /${path} ${JSON.stringify("status" in away ? away : { isOn: false })}`, "{}");
      await journey.noteDig("www.ada.test", "A");
      await dns.call(path, { ...away, ...back });
      await serves(journey, "www.ada.test", "A", "192.0.2.1");
      await journey.noteDig("www.ada.test", "A");
    }

    transcript.part("The program is killed, misses changes, and catches up");
    journey.killAgent();
    await journey.call("NSRecordService/createNSRecord", { nsDomainId, name: "new", type: "A", value: "192.0.2.9" });
    await journey.call("NSRecordService/deleteNSRecord", { nsRecordId: ids[1] });
    await journey.call("NSDomainService/deleteNSDomain", { nsDomainId: adas });
    expect(await knot.short("www.shop.test", "A")).toEqual(["127.0.0.1", "127.0.0.2"]);
    await journey.startAgent();
    await serves(journey, "new.shop.test", "A", "192.0.2.9");
    await serves(journey, "www.shop.test", "A", "127.0.0.1");
    await refuses(journey, "www.ada.test");
    await journey.validates(port, "shop.test", dsRecords, "new.shop.test");
    await serves({ knot: secondary }, "new.shop.test", "A", "192.0.2.9");
    await journey.validates(secondary.port, "shop.test", dsRecords, "new.shop.test");

    transcript.part("Queries are counted");
    const sums = () => dns.call("NSRecordHourlyStatService/sumNSDomainStats", { nsDomainId });
    const before = await sums();
    await vi.waitFor(async () => {
      await knot.dig("new.shop.test", "A");
      expect(countOf(await sums(), "new")).toBeGreaterThan(countOf(before, "new"));
    }, WAIT);
    const { countRequests, types, codes, records } = await journey.call(
      "NSRecordHourlyStatService/sumNSDomainStats",
      { nsDomainId },
    );
    expect(countRequests).toBeGreaterThan(countOf({ records }, "new"));
    expect(types.map(({ name }: Named) => name)).toContain("A");
    expect(codes.map(({ name }: Named) => name)).toContain("NOERROR");
    const hours = await dns.call("NSRecordHourlyStatService/findLatestNSDomainHourlyStats", { nsDomainId });
    expect(hours.nsDomainHourlyStats).toHaveLength(24);
  },
);

interface Named {
  readonly name: string;
  readonly countRequests: number;
}

function countOf({ records }: { readonly records: readonly Named[] }, name: string): number {
  return records.find((record) => record.name === name)?.countRequests ?? 0;
}

/** The configuration of a server that transfers the zone from another one every two seconds. */
function secondaryOf(port: number): string {
  return `key:
  - id: ${KEY}
    algorithm: hmac-sha256
    secret: ${SECRET}
remote:
  - id: first
    address: 127.0.0.1@${port}
    key: ${KEY}
zone:
  - domain: shop.test
    master: first
    refresh-max-interval: 2
`;
}
