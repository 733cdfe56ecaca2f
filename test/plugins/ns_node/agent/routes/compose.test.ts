import { describe, expect, test } from "vitest";
import {
  addressRange,
  complement,
  network,
  networksOf,
  NO_ADDRESSES,
  union,
  without,
} from "../../../../../plugins/ns_node/agent/routes/addresses.ts";
import { tailoringsOf } from "../../../../../plugins/ns_node/agent/routes/compose.ts";
import { addressesOf, byPrecedence, type Route } from "../../../../../plugins/ns_node/agent/routes/route.ts";
import type { ZoneRow } from "../../../../../plugins/ns_node/agent/store/zone_file.ts";

describe("addresses", () => {
  test.each([
    ["192.0.2.0", "192.0.2.255", "192.0.2.0/24"],
    ["192.0.2.3", "192.0.2.8", "192.0.2.3/32 192.0.2.4/30 192.0.2.8/32"],
    ["0.0.0.0", "255.255.255.255", "0.0.0.0/0"],
    ["192.0.2.9", "192.0.2.8", ""],
    ["2001:db8::", "2001:db8::ffff:ffff", "2001:db8:0:0:0:0:0:0/96"],
    ["::ffff:1.2.3.4", "::ffff:1.2.3.5", "0:0:0:0:0:ffff:102:304/127"],
    ["192.0.2.1", "2001:db8::", ""],
    ["nonsense", "192.0.2.1", ""],
  ])("from %s to %s are the networks %s", (from, to, networks) => {
    expect(networksOf(addressRange(from, to)).join(" ")).toBe(networks);
  });

  test.each([
    ["192.0.2.77/24", "192.0.2.0/24"],
    ["2001:db8::1/127", "2001:db8:0:0:0:0:0:0/127"],
    ["192.0.2.1/33", ""],
    ["192.0.2.1", ""],
    ["192.0.2.1/x", ""],
  ])("of the network %s are %s", (text, networks) => {
    expect(networksOf(network(text)).join(" ")).toBe(networks);
  });

  test("are joined, taken away and inverted", () => {
    const halves = union(network("192.0.2.128/25"), network("192.0.2.0/25"), network("192.0.2.64/26"));
    expect(networksOf(halves)).toEqual(["192.0.2.0/24"]);
    expect(networksOf(without(halves, network("192.0.2.64/26")))).toEqual(["192.0.2.0/26", "192.0.2.128/25"]);
    expect(networksOf(without(halves, network("192.0.0.0/16")))).toEqual([]);
    expect(networksOf(without(network("192.0.2.128/25"), network("192.0.2.0/26")))).toEqual(["192.0.2.128/25"]);
    expect(networksOf(without(network("192.0.2.0/25"), network("192.0.2.192/26")))).toEqual(["192.0.2.0/25"]);
    expect(networksOf(complement(network("128.0.0.0/1")))).toEqual(["0.0.0.0/1", "0:0:0:0:0:0:0:0/0"]);
    expect(networksOf(complement(NO_ADDRESSES))).toEqual(["0.0.0.0/0", "0:0:0:0:0:0:0:0/0"]);
  });
});

test("a route matches its ranges, inverted ones too, and no region", () => {
  const ranges = [
    { type: "cidr", params: { cidr: "128.0.0.0/1", isReverse: true } },
    { type: "ipRange", params: { ipFrom: "192.0.2.1", ipTo: "192.0.2.1" } },
    { type: "region", params: { regions: [{ type: "country", name: "China" }] } },
  ];
  expect(networksOf(addressesOf(route("1", { ranges: JSON.stringify(ranges) })))).toEqual([
    "0.0.0.0/1",
    "192.0.2.1/32",
    "0:0:0:0:0:0:0:0/0",
  ]);
  expect(addressesOf(route("1", { ranges: "" }))).toEqual(NO_ADDRESSES);
});

test("routes are tried by priority, order and id", () => {
  const routes = [route("10"), route("9"), route("8", { order: 1 }), route("7", { priority: 1, order: -1 })];
  expect(routes.sort(byPrecedence).map(({ id }) => id)).toEqual(["7", "8", "9", "10"]);
});

describe("rules of a zone", () => {
  const matching = {
    routes: [{ code: "id:1", addresses: network("192.0.2.0/25") }, {
      code: "id:2",
      addresses: network("192.0.2.0/24"),
    }],
    hasCountries: false,
  };

  test("are the records of the first route that matches, without those that are down unless all are", () => {
    const rows = [
      row("www", "A", "192.0.2.1", { routeCodes: ["id:2"] }),
      row("www", "A", "192.0.2.2", { routeCodes: ["id:1", "id:2"], ttl: 60 }),
      row("www", "A", "192.0.2.3", { routeCodes: ["id:1"], isUp: false }),
      row("www", "A", "192.0.2.9", {}),
      row("down", "AAAA", "2001:db8::1", { routeCodes: ["id:1"], isUp: false }),
      row("other", "A", "192.0.2.9", { routeCodes: ["id:3"] }),
    ];
    expect(tailoringsOf("x.test", rows, matching)).toEqual([
      {
        key: "subnet-A-60",
        mode: "subnet",
        ttl: 60,
        text: 'www.x.test.:\n  - net: 192.0.2.0/25\n    A: ["192.0.2.2"]\n' +
          '  - net: 192.0.2.128/25\n    A: ["192.0.2.1", "192.0.2.2"]\n',
      },
      {
        key: "subnet-AAAA-600",
        mode: "subnet",
        ttl: 600,
        text: 'down.x.test.:\n  - net: 192.0.2.0/25\n    AAAA: ["2001:db8::1"]\n',
      },
    ]);
  });

  test("are the records of countries, if there is a database", () => {
    const rows = [row("@", "A", "192.0.2.1", { routeCodes: ["world:CZ", "isp:google"] })];
    expect(tailoringsOf("x.test", rows, matching)).toEqual([]);
    expect(tailoringsOf("x.test", rows, { ...matching, hasCountries: true })).toMatchObject([
      { key: "geodb-A-600", text: 'x.test.:\n  - geo: "CZ"\n    A: ["192.0.2.1"]\n' },
    ]);
  });

  test("are a choice by weight where weights differ, and among aliases", () => {
    const rows = [
      row("www", "A", "192.0.2.1", { weight: 10 }),
      row("www", "A", "192.0.2.2", { routeCodes: ["default"] }),
      row("www", "A", "192.0.2.3", { weight: 5, isUp: false }),
      row("odd", "A", "192.0.2.4", { weight: 10 }),
      row("odd", "A", "192.0.2.5", { weight: 3 }),
      row("odd", "A", "192.0.2.6", { weight: 3, routeCodes: ["id:9"] }),
      row("one", "CNAME", "a."),
      row("two", "CNAME", "a."),
      row("two", "CNAME", "b."),
    ];
    expect(tailoringsOf("x.test", rows, matching).map(({ key, text }) => [key, text])).toEqual([
      [
        "weighted-A-600",
        'odd.x.test.:\n  - weight: 10\n    A: ["192.0.2.4"]\n  - weight: 3\n    A: ["192.0.2.5"]\n',
      ],
      [
        "weighted-CNAME-600",
        'two.x.test.:\n  - weight: 10\n    CNAME: ["a."]\n  - weight: 10\n    CNAME: ["b."]\n',
      ],
    ]);
  });

  test("are none for SOA, NS and wildcards", () => {
    const routeCodes = ["id:1"];
    const rows = [row("@", "NS", "a.", { routeCodes }), row("*.w", "A", "192.0.2.1", { routeCodes })];
    expect(tailoringsOf("x.test", rows, matching)).toEqual([]);
  });

  test("have quotes and backslashes of texts as numbers", () => {
    const rows = [row("t", "TXT", '"say \\"hi\\" \\\\ \\195"', { routeCodes: ["id:1"] })];
    expect(tailoringsOf("x.test", rows, matching)[0]!.text).toContain('TXT: ["\\"say \\034hi\\034 \\092 \\195\\""]');
  });
});

function route(id: string, more: Partial<Route> = {}): Route {
  return { id, code: `id:${id}`, priority: 0, order: 0, ranges: "", ...more };
}

let nextId = 0;

function row(name: string, type: string, data: string, more: Partial<ZoneRow> = {}): ZoneRow {
  return { id: String(nextId++), name, type, data, ttl: 600, isUp: true, routeCodes: [], ...more };
}
