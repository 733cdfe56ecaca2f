import { describe, expect, test } from "vitest";
import { parseZone } from "../../../plugins/ns_zone_file/parser.ts";
import { parse, records } from "./parser_rig.ts";

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
