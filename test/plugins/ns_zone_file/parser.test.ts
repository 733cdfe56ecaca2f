import { describe, expect, test } from "vitest";
import { parseZone } from "../../../plugins/ns_zone_file/parser.ts";

function parse(text: string, domain = "example.com") {
  return parseZone(text, domain);
}

/** Returns the records of a file without errors, each as one text. */
function records(text: string, domain?: string): string[] {
  const { records, errors } = parse(text, domain);
  expect(errors).toEqual([]);
  return records.map(({ name, ttl, type, value, mxPriority }) =>
    `${name} ${ttl} ${type} ${type === "MX" ? `${mxPriority} ` : ""}${value}`
  );
}

function errorsOf(text: string): string[] {
  return parse(text).errors.map(({ line, message }) => `${line}: ${message}`);
}

/** RFC 1035, section 5.3, the domain ISI.EDU, as a whole file. */
const RFC_1035 = `$ORIGIN ISI.EDU.
@   IN  SOA     VENERA      Action\\.domains (
                                 20     ; SERIAL
                                 7200   ; REFRESH
                                 600    ; RETRY
                                 3600000; EXPIRE
                                 60)    ; MINIMUM

        NS      A.ISI.EDU.
        NS      VENERA
        NS      VAXA
        MX      10      VENERA
        MX      20      VAXA

A       A       26.3.0.103

VENERA  A       10.1.0.52
        A       128.9.0.32

VAXA    A       10.2.0.27
        A       128.9.0.33
`;

test("the example of RFC 1035 is read as described there", () => {
  expect(records(RFC_1035, "isi.edu")).toEqual([
    "ISI.EDU. 60 SOA VENERA.ISI.EDU. Action\\.domains.ISI.EDU. 20 7200 600 3600000 60",
    "ISI.EDU. 60 NS A.ISI.EDU.",
    "ISI.EDU. 60 NS VENERA.ISI.EDU.",
    "ISI.EDU. 60 NS VAXA.ISI.EDU.",
    "ISI.EDU. 60 MX 10 VENERA.ISI.EDU.",
    "ISI.EDU. 60 MX 20 VAXA.ISI.EDU.",
    "A.ISI.EDU. 60 A 26.3.0.103",
    "VENERA.ISI.EDU. 60 A 10.1.0.52",
    "VENERA.ISI.EDU. 60 A 128.9.0.32",
    "VAXA.ISI.EDU. 60 A 10.2.0.27",
    "VAXA.ISI.EDU. 60 A 128.9.0.33",
  ]);
});

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

describe("errors are reported by line, and the other lines are read", () => {
  test.each([
    ["a A", "A must have an address, got 0 words"],
    ["a A 1 2", "A must have an address, got 2 words"],
    [" A 192.0.2.1", "the owner is missing"],
    ["a", "the type of the record is missing"],
    ["a IN", "the type of the record is missing"],
    ["a CH A 1.1.1.1", "the class must be IN"],
    ["a IN CH A 1.1.1.1", 'records of type "CH" are not supported'],
    ["a RRSIG x", 'records of type "RRSIG" are not supported'],
    ["a constructor x", 'records of type "CONSTRUCTOR" are not supported'],
    ["a TYPE1 \\# 4 01020304", "are not supported"],
    ["a A \\# 4 01020304", "A must have an address, got 3 words"],
    ["a MX x mail", '"x" is not a number'],
    ["$INCLUDE other.zone", "$INCLUDE is not supported"],
    ["$generate 1-9 a$ A 1.1.1.$", "$GENERATE is not supported"],
    ["$FOO x", 'the directive "$FOO" is not supported'],
    ["$TTL", "$TTL must have one value"],
    ["$TTL 1x", "is not a time"],
    ["$TTL 9999999999", "is more than"],
    ['a TXT "open', "a quote that does not end"],
    ["a TXT back\\", "a backslash at the end of a line"],
    ["a TXT \\999", "must be three digits"],
    ["a TXT \\1", "must be three digits"],
    ["a TXT \\255", "not UTF-8"],
    ["a.. A 1.1.1.1", "empty label"],
    ['"" A 1.1.1.1', "a name is empty"],
    ["a ) A 1.1.1.1", "a closing parenthesis"],
    ['h HTTPS 1 . key65="a b"', "must not contain white space"],
  ])("%s", (line, message) => {
    const { records, errors } = parse(`; first\n${line}\nok A 192.0.2.1\n`);
    expect(errors).toEqual([{ line: 2, message: expect.stringContaining(message) }]);
    expect(records).toMatchObject([{ line: 3, name: "ok.example.com." }]);
  });

  test("an invalid owner does not apply to the following lines, which are errors too", () => {
    expect(errorsOf("a A 1.1.1.1\nb.. A 1.1.1.2\n A 1.1.1.3")).toEqual([
      expect.stringContaining("2: "),
      expect.stringContaining("3: the owner is missing"),
    ]);
  });

  test("lines are counted across parentheses and with all kinds of line endings", () => {
    expect(errorsOf("a TXT ( a\r\n b )\r\rb FOO\nc TXT (\n\n")).toEqual([
      '4: records of type "FOO" are not supported',
      "5: an opening parenthesis without a closing one",
    ]);
  });
});

test("a file may begin with a byte order mark and end without a newline", () => {
  expect(records("\ufeffa A 1.1.1.1")).toEqual(["a.example.com. 0 A 1.1.1.1"]);
});

describe("malicious files are parsed in linear time", () => {
  const MANY = 2 ** 20;
  test.each(["(", ")", "\\", '"', ";", "a", "1", "1h", ".", "a.", "\\.", "\t", "\n", " \n", "$", "@ ", '="', "(\n"])(
    "a million times %j",
    (unit) => {
      const text = unit.repeat(MANY / unit.length);
      for (
        const file of [text, `a TXT ${text}`, `a A ${text}`, `a CNAME ${text}`, `a 1 HTTPS 1 . ${text}`, `$TTL ${text}`]
      ) {
        const { records, errors } = parse(file);
        for (const { message } of errors) expect(message.length).toBeLessThan(200);
        expect(records.length).toBeLessThan(MANY);
      }
    },
  );
});

test("parsing stops after the maximum number of records", () => {
  expect(parseZone("a A 1.1.1.1\n".repeat(100), "example.com", 10).records).toHaveLength(11);
});
