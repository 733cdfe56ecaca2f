import { invalid, textField } from "edgehelm";

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Checks where a program is installed; empty means the default. */
export function directoryField(field: string, value: string): string {
  const path = textField(field, value);
  if (path === "" || (path.startsWith("/") && !/[\0\n]/.test(path) && !path.split("/").includes(".."))) return path;
  throw invalid(field, `must be an absolute path without .., got "${path.slice(0, 60)}"`);
}

/** Checks a subdomain and answers it in lower case; empty means none. */
export function dnsNameField(field: string, value: string): string {
  const name = textField(field, value, { max: 190 }).toLowerCase();
  if (name === "" || name.split(".").every((label) => LABEL.test(label))) return name;
  throw invalid(field, `must be labels of letters, digits and -, such as cdn1, got "${name.slice(0, 60)}"`);
}
