import { invalid, textField } from "edgehelm";

const MAX_EMAIL = 254;
/** No characters that end an address in a list of contacts (RFC 6068). */
const EMAIL = /^[^\s@,?;<>"]{1,64}@[^\s@,?;<>"]{1,190}$/;

/** Checks the address of a contact; it may be empty. */
export function emailField(field: string, value: string): string {
  const email = textField(field, value, { max: MAX_EMAIL });
  if (email !== "" && !EMAIL.test(email)) {
    throw invalid(field, `must be an email address such as admin@example.com, got "${email.slice(0, 60)}"`);
  }
  return email;
}
