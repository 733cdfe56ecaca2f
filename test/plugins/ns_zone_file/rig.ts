import type { NSRecordContent } from "../../../plugins/ns_record/contract.ts";
import { Random } from "../../harness/random.ts";

const NUMBERS = { mxPriority: 0, srvPriority: 0, srvWeight: 0, srvPort: 0, caaFlag: 0, caaTag: "" };
const TEXTS = [
  'say "hi"',
  "back\\slash",
  "a;b (c)",
  "ünïcode ✓ 漢字",
  "\ufeffmark",
  " spaces ",
  "v=spf1 -all",
  "x".repeat(700),
];

/** Returns random records that can be in one zone, in normalized form; the same seed returns the same records. */
export function randomRecords(seed: number): NSRecordContent[] {
  const random = new Random(seed);
  const records = new Map<string, NSRecordContent>();
  for (let count = 1 + random.below(60); count > 0; count--) {
    const record = randomRecord(random);
    // A CNAME must be the only record of its name.
    const name = record.type === "CNAME" ? `alias${count}` : record.name;
    const { ttl: _, ...identity } = { ...record, name };
    records.set(JSON.stringify(identity), { ...record, name });
  }
  return [...records.values()];
}

function randomRecord(random: Random): NSRecordContent {
  const short = () => random.below(65_536);
  const name = random.oneOf(["@", "www", "*", "a.b", "_dmarc", "in", "600", "*.x", "n" + random.below(50)]);
  const host = random.oneOf(["www.example.net", "a.test", "xn--bcher-kva.test", `h${random.below(9)}.example.com`]);
  const byType: Readonly<Record<string, () => Partial<NSRecordContent>>> = {
    A: () => ({ value: `192.0.2.${random.below(256)}` }),
    AAAA: () => ({ value: `2001:db8::${(1 + random.below(0xfffe)).toString(16)}` }),
    CNAME: () => ({ value: host }),
    PTR: () => ({ value: host }),
    MX: () => ({ value: host, mxPriority: short() }),
    SRV: () => ({ value: host, srvPriority: short(), srvWeight: short(), srvPort: short() }),
    TXT: () => ({ value: random.oneOf(TEXTS) + random.list(300, () => randomChar(random)).join("") }),
    CAA: () => ({
      value: "ca.test; account=1",
      caaFlag: random.oneOf([0, 128]),
      caaTag: random.oneOf(["issue", "issuewild"]),
    }),
    HTTPS: () => ({ value: `1 . alpn=h2,h3 port=${1 + random.below(65_535)} ipv4hint=192.0.2.1` }),
    SVCB: () => ({ value: `0 ${host}` }),
  };
  const type = random.oneOf(Object.keys(byType));
  return { ...NUMBERS, name, type, value: "", ttl: 1 + random.below(100_000), ...byType[type]!() };
}

/** Returns a random character that is neither a control character nor a surrogate. */
function randomChar(random: Random): string {
  const code = 0x20 + random.below(random.oneOf([0x5f, 0x2000, 0xd000]));
  return code === 0x7f ? "\\" : String.fromCharCode(code);
}
