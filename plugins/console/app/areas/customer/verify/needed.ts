import { fill } from "../../../texts/fill.ts";
import { texts } from "./texts.ts";

/** A record that the check looks for. */
export interface NeededRecord {
  readonly type: "NS" | "TXT";
  /** The full name, without a dot at the end. */
  readonly name: string;
  readonly value: string;
}

/** The values that show whose a domain is. */
export interface Proof {
  readonly txt: string;
  readonly txtName: string;
  readonly expiresAt: bigint;
  readonly requireTXT: boolean;
}

/** Returns the records that verify a domain. */
export function neededRecords(domain: string, hosts: readonly string[], proof: Proof): NeededRecord[] {
  const servers = hosts.map((host): NeededRecord => ({ type: "NS", name: domain, value: host }));
  return proof.requireTXT ? [...servers, { type: "TXT", name: proof.txtName, value: proof.txt }] : servers;
}

/** Writes records as zone files have them. */
export function zoneLines(records: readonly NeededRecord[]): string {
  return records.map(({ type, name, value }) => `${name}. 600 IN ${type} ${type === "NS" ? `${value}.` : `"${value}"`}`)
    .join("\n");
}

/** Writes records as a message to the person who manages the domain. */
export function messageLines(domain: string, records: readonly NeededRecord[]): string {
  const lines = records.map(({ type, name, value }) => `${type}  ${name}  ${value}`);
  return `${fill(texts.value.messageText, { name: domain })}\n\n${lines.join("\n")}`;
}
