import { ScalarType } from "@bufbuild/protobuf";

/** Values that texts of these names have, by what the name ends in. The first that fits is taken. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/e?mails?$/i, "ada@example.com"],
  [/(mobile|phone|tel)$/i, "+4930123456"],
  [/passwords?$/i, "ada walks in the rain"],
  [/username$/i, "ada.lovelace"],
  [/fullname$/i, "Ada Lovelace"],
  [/(ip|ips|addr|address|ipFrom)$/i, "192.0.2.1"],
  [/ipTo$/, "192.0.2.9"],
  [/(url|urls|link)$/i, "https://www.example.com/"],
  [/(domains?|domainNames?|dnsNames?|hosts?|serverNames?)$/i, "www.example.com"],
  [/day(From)?$/i, "20260101"],
  [/dayTo$/, "20260131"],
  [/month$/i, "202601"],
  [/hour$/i, "2026010112"],
  [/hourFrom$/, "8"],
  [/hourTo$/, "18"],
  [/(minute|timeAt)$/i, "202601011230"],
  [/timeFrom$/, "08:00"],
  [/timeTo$/, "18:00"],
  [/country(Code)?$/i, "DE"],
  [/routeCodes?$/i, "default"],
  [/mimeType$/i, "text/plain"],
  [/filename$/i, "notes.txt"],
  [/dir$/i, "/opt/edgehelm"],
  [/(keyword|reason|description|message|remark|body)$/i, "example"],
];

/** 2026-01-01 00:00 UTC, in unix seconds. */
const SOME_TIME = 1_767_225_600;

const NUMBERS: readonly (readonly [RegExp, number])[] = [
  [/(At|timestamp)$/, SOME_TIME],
  [/(^i|I)ds?$/, 1],
  [/^offset$/, 0],
  [/^size$/, 20],
  [/(^t|T)tl$/, 600],
  [/^port$/, 443],
  [/seconds?$/i, 60],
  [/days$/i, 30],
  [/bytes$/i, 1024],
  [/^version$/, 1],
  [/^(status|statusCode)$/, 200],
];

const INTEGER_EXAMPLE = 1;
const FRACTION_EXAMPLE = 0.5;
/** The word "hello" in base64. */
const BYTES_EXAMPLE = "aGVsbG8=";

/** Returns a value that shows what a field of a name and type contains. */
export function scalarExample(name: string, type: ScalarType): string | number | boolean {
  switch (type) {
    case ScalarType.BOOL:
      return true;
    case ScalarType.STRING:
      return TEXTS.find(([pattern]) => pattern.test(name))?.[1] ?? "example";
    case ScalarType.BYTES:
      return BYTES_EXAMPLE;
    case ScalarType.FLOAT:
    case ScalarType.DOUBLE:
      return FRACTION_EXAMPLE;
    default:
      return NUMBERS.find(([pattern]) => pattern.test(name))?.[1] ?? INTEGER_EXAMPLE;
  }
}
