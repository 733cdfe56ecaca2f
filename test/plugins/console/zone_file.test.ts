import { describe, expect, test } from "vitest";
import { parseFile } from "../../../plugins/console/app/areas/dns/zone_file/parse.ts";
import { previewOf } from "../../../plugins/console/app/areas/dns/zone_file/preview.ts";

const parse = (text: string) => parseFile(text, "example.com");

describe("a zone file in the console", () => {
  test("has names, times and classes in every form", () => {
    const { records, badLines } = parse(`$TTL 1h
@       IN SOA ns1.example.net. admin (
          1 ; serial
          2h 600 1w 300 )
www 5m  IN A 192.0.2.1
    IN 60 AAAA 2001:DB8:0:0::1
Mail    MX 10 MX1
txt     TXT "a;b" "c d"
$ORIGIN sub.example.com.
x       CNAME @
`);
    expect(badLines).toEqual([]);
    expect(records.map(({ name, ttl, type, data }) => `${name} ${ttl} ${type} ${data}`)).toEqual([
      "example.com. 3600 SOA ns1.example.net. admin.example.com. 1 2h 600 1w 300",
      "www.example.com. 300 A 192.0.2.1",
      "www.example.com. 60 AAAA 2001:db8::1",
      "mail.example.com. 3600 MX 10 mx1.example.com.",
      "txt.example.com. 3600 TXT a;bc d",
      "x.sub.example.com. 3600 CNAME sub.example.com.",
    ]);
  });

  test.each<[string, string, number[]]>([
    ["a name alone", "www A 192.0.2.1\nwww\n", [2]],
    ["an open parenthesis", "www A 192.0.2.1\n@ SOA a b (\n1 2\n", [2]],
    ["an open quotation mark", '@ TXT "open\n', [1]],
  ])("%s is no record", (_name, text, badLines) => {
    expect(parse(text).badLines).toEqual(badLines);
  });

  const zone = {
    records: parse("$TTL 60\n@ NS ns1.example.net.\na A 192.0.2.1\nb A 192.0.2.2\n").records,
    isImplied: ({ type }: { readonly type: string }) => type === "NS",
  };
  const kinds = (file: string, isReplacing: boolean) =>
    previewOf(zone, parse(file).records, isReplacing).rows.map(({ kind, record }) => `${kind} ${record.data}`);

  test("only adds records, unless it replaces them", () => {
    const file = "$TTL 300\na A 192.0.2.1\nc A 192.0.2.3\n";
    expect(kinds(file, false)).toEqual(["new 192.0.2.3"]);
    expect(kinds(file, true)).toEqual(["changed 192.0.2.1", "new 192.0.2.3", "gone 192.0.2.2"]);
  });
});
