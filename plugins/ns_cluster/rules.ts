import { invalid, listField, textField } from "edgehelm";
import { addressVersion, asciiHostName, hostNameField } from "edgehelm/fields";

const MAX_HOSTS = 32;

/** Checks the host names of a cluster's DNS servers. */
export function hostsField(field: string, values: readonly string[]): string[] {
  return listField(field, values, hostNameField, { max: MAX_HOSTS, unique: true });
}

/** Checks an email address; empty means none. */
export function emailField(field: string, value: string): string {
  const email = textField(field, value, { max: 254 });
  const at = email.lastIndexOf("@");
  const isValid = at > 0 && at <= 64 && !/[\s@<>"]/.test(email.slice(0, at)) &&
    asciiHostName(email.slice(at + 1)) !== undefined;
  if (email !== "" && !isValid) {
    throw invalid(field, `must be an email address such as admin@example.com, got "${email.slice(0, 60)}"`);
  }
  return email;
}

/** Checks the address to listen on; empty means all addresses. */
export function listenHostField(field: string, value: string): void {
  if (value === "" || addressVersion(value) !== undefined || asciiHostName(value) !== undefined) return;
  throw invalid(field, `must be an IP address, a host name or empty, got "${value.slice(0, 60)}"`);
}
