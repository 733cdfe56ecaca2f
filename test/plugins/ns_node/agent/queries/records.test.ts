import { Buffer } from "node:buffer";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { queryOf } from "../../../../../plugins/ns_node/agent/queries/probe.ts";
import { Records } from "../../../../../plugins/ns_node/agent/queries/record_index.ts";
import { ZoneFile, type ZoneRow } from "../../../../../plugins/ns_node/agent/store/zone_file.ts";

const folder = mkdtempSync(join(tmpdir(), "edgehelm-records-"));
afterAll(() => rmSync(folder, { recursive: true }));

const HEAD = { isOn: true, isTransferred: false, version: "1", serial: 1, served: 1, authority: [] };
const row = (id: string, name: string, type: string, more: Partial<ZoneRow> = {}): ZoneRow => ({
  ...{ id, name, type, ttl: 60, data: "x", isUp: true, routeCodes: [] },
  ...more,
});

function zone(id: string, name: string, rows: ZoneRow[]): ZoneFile {
  const file = ZoneFile.open(join(folder, `${id}.log`), id);
  file.append({ ...HEAD, name }, rows);
  return file;
}

describe("the records of a query", () => {
  const file = zone("1", "shop.example", [
    row("1", "@", "A"),
    row("2", "www", "A"),
    row("3", "www", "A"),
    row("4", "www", "TXT"),
    row("5", "alias", "CNAME"),
    row("6", "*.wild", "A"),
    row("7", "here.wild", "MX"),
    row("8", "down", "A", { isUp: false }),
    row("9", "routed", "A", { routeCodes: ["id:1"] }),
    row("10", "routed", "A", { routeCodes: ["default"] }),
    row("11", "a.deep.wild", "A"),
    row("12", "MiXed", "A"),
  ]);
  const below = zone("2", "eu.shop.example", [row("20", "*", "A")]);
  const records = new Records(() => [file, below]);

  test.each([
    ["shop.example", "A", ["1"]],
    ["www.shop.example", "A", ["2", "3"]],
    ["www.shop.example", "TXT", ["4"]],
    ["www.shop.example", "AAAA", []],
    ["www.shop.example", "ANY", ["2", "3", "4"]],
    ["alias.shop.example", "AAAA", ["5"]],
    ["alias.shop.example", "CNAME", ["5"]],
    ["x.wild.shop.example", "A", ["6"]],
    ["x.y.wild.shop.example", "A", ["6"]],
    ["x.wild.shop.example", "MX", []],
    // the name exists, so the wildcard does not stand for it
    ["here.wild.shop.example", "A", []],
    // and neither for names below one that exists
    ["x.here.wild.shop.example", "A", []],
    ["x.deep.wild.shop.example", "A", []],
    // a name without records that has others below it
    ["deep.wild.shop.example", "A", []],
    ["wild.shop.example", "A", []],
    ["down.shop.example", "A", []],
    ["routed.shop.example", "A", ["10"]],
    ["mixed.shop.example", "A", ["12"]],
    ["missing.shop.example", "A", []],
    ["x.www.shop.example", "A", []],
    ["eu.shop.example", "A", []],
    ["any.eu.shop.example", "A", ["20"]],
  ])("%s %s are %j", (name, type, ids) => {
    records.refresh();
    expect(records.recordsOf(records.zoneOf(name)!, name, type)).toEqual(ids);
  });

  test("follow changes of a zone, and zones that appear", () => {
    records.refresh();
    expect(records.zoneOf("www.other.example")).toBeUndefined();
    expect(records.zoneOf("example")).toBeUndefined();
    expect(records.zoneOf("notshop.example")).toBeUndefined();
    expect(records.zoneOf("x.eu.shop.example")!.id).toBe("2");
    expect(records.recordsOf(file, "new.shop.example", "A")).toEqual([]);
    file.append({ ...file.head, version: "2" }, [row("30", "new", "A")]);
    expect(records.recordsOf(file, "new.shop.example", "A")).toEqual(["30"]);
  });
});

describe("a report of Knot", () => {
  /** Returns a datagram as Knot on this machine sends it, of which only some fields count. */
  function datagram({ name = "\x03www\x04shop\x07example\0", type = 28, code = 3, bytes = 82 } = {}): Buffer {
    const sent = Buffer.alloc(87 + name.length + 2);
    for (const [position, value] of [[50, bytes], [52, code], [84, type]] as const) {
      new Uint16Array(sent.buffer, sent.byteOffset + position, 1)[0] = value;
    }
    sent[86] = name.length;
    sent.write(name, 87, "latin1");
    return sent;
  }

  test("is a query with the final code", () => {
    const read = queryOf(datagram(), 5);
    expect(read).toEqual({ name: "www.shop.example", type: "AAAA", code: "NXDOMAIN", bytes: 82, at: 5 });
    expect(queryOf(datagram({ type: 65_280, code: 23 }), 5)).toMatchObject({ type: "OTHER", code: "OTHER" });
    expect(queryOf(datagram({ name: "\x04A.\xff_\0" }), 5)).toMatchObject({ name: "a\\046\\255_" });
    expect(queryOf(datagram({ name: "\0" }), 5)).toMatchObject({ name: "" });
  });

  test("does not count without a response, for transfers, and if it is cut off", () => {
    expect(queryOf(datagram({ bytes: 0 }), 5)).toBeUndefined();
    expect(queryOf(datagram({ type: 252 }), 5)).toBeUndefined();
    expect(queryOf(datagram({ type: 251 }), 5)).toBeUndefined();
    expect(queryOf(datagram().subarray(0, 87), 5)).toBeUndefined();
    expect(queryOf(datagram({ name: "\x03www" }), 5)).toBeUndefined();
    expect(queryOf(datagram({ name: `\x40${"w".repeat(64)}\0` }), 5)).toBeUndefined();
  });
});
