import { describe, expect, test } from "vitest";
import { parse, records } from "./parser_rig.ts";

test("names are absolute or relative to the origin, which can change", () => {
  const text = "www A 192.0.2.1\n$ORIGIN sub\n@ A 192.0.2.2\nx A 192.0.2.3\n$ORIGIN .\ny.example.com A 192.0.2.4\n" +
    "$ORIGIN example.com.\n*.w CNAME x.y\n\\119\\119w2 CNAME other.test.\n";
  expect(records(text)).toEqual([
    "www.example.com. 0 A 192.0.2.1",
    "sub.example.com. 0 A 192.0.2.2",
    "x.sub.example.com. 0 A 192.0.2.3",
    "y.example.com. 0 A 192.0.2.4",
    "*.w.example.com. 0 CNAME x.y.example.com.",
    "www2.example.com. 0 CNAME other.test.",
  ]);
});

test("TTL and class are optional and can be in either order", () => {
  const text =
    "a A 1.1.1.1\na 5 A 1.1.1.2\na IN 6 A 1.1.1.3\na 7 in A 1.1.1.4\n IN A 1.1.1.5\n$TTL 1h30m\n A 1.1.1.6\n" +
    "a 0 A 1.1.1.7\n1d A 1.1.1.8\nin 2W a 1.1.1.9\n";
  expect(records(text).map((record) => record.replace(".example.com.", ""))).toEqual([
    "a 0 A 1.1.1.1",
    "a 5 A 1.1.1.2",
    "a 6 A 1.1.1.3",
    "a 7 A 1.1.1.4",
    "a 7 A 1.1.1.5",
    "a 5400 A 1.1.1.6",
    "a 1 A 1.1.1.7",
    "1d 5400 A 1.1.1.8",
    "in 1209600 A 1.1.1.9",
  ]);
});

describe("texts", () => {
  test.each([
    ['"a b" c "d"', "a bcd"],
    ['"a;b" ; comment', "a;b"],
    ['"say \\"hi\\" \\\\ \\065"', 'say "hi" \\ A'],
    ["a\\;b\\ c", "a;b c"],
    ['"\\195\\188" "\\195" "\\188"', "üü"],
    ['"ü"', "ü"],
    ['( "a"\n "b" ) ', "ab"],
    ['"a""b"', "ab"],
    ['"("', "("],
    ["v=spf1 -all", "v=spf1-all"],
  ])("TXT %s", (data, value) => {
    expect(parse(`@ TXT ${data}\n`).records).toMatchObject([{ value }]);
  });
});

test("every type is read", () => {
  const text = `@ CAA 0 issue "ca.test; a=b"
_sip._tcp SRV 1 2 5060 sip
p PTR h.test.
h HTTPS 1 . alpn="h2,h3" port=8443 key65="a\\"b" ; comment
s SVCB 0 other.test.
v6 AAAA 2001:db8::1
m MX 0 .
`;
  expect(parse(text).errors).toEqual([]);
  expect(parse(text).records).toMatchObject([
    { caaFlag: 0, caaTag: "issue", value: "ca.test; a=b" },
    { srvPriority: 1, srvWeight: 2, srvPort: 5060, value: "sip.example.com." },
    { value: "h.test." },
    { value: '1 . alpn=h2,h3 port=8443 key65=a"b' },
    { value: "0 other.test." },
    { value: "2001:db8::1" },
    { value: ".", mxPriority: 0 },
  ]);
});
