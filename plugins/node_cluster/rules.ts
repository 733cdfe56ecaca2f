import { invalid, textField } from "edgehelm";

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Checks a subdomain and returns it in lower case; empty means none. */
export function dnsNameField(field: string, value: string): string {
  const name = textField(field, value, { max: 190 }).toLowerCase();
  if (name === "" || name.split(".").every((label) => LABEL.test(label))) return name;
  throw invalid(field, `must be labels of letters, digits and -, such as cdn1, got "${name.slice(0, 60)}"`);
}
