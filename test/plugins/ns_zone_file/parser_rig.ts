import { expect } from "vitest";
import { parseZone } from "../../../plugins/ns_zone_file/parser.ts";

export function parse(text: string, domain = "example.com") {
  return parseZone(text, domain);
}

/** Returns the records of a file without errors, each as one text. */
export function records(text: string, domain?: string): string[] {
  const { records, errors } = parse(text, domain);
  expect(errors).toEqual([]);
  return records.map(({ name, ttl, type, value, mxPriority }) =>
    `${name} ${ttl} ${type} ${type === "MX" ? `${mxPriority} ` : ""}${value}`
  );
}
