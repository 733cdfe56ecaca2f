import { invalid, textField } from "edgehelm";
import { asciiHostName, usernameField } from "edgehelm/fields";
import type { RegistrationForm } from "../contract.ts";

/** Checks what a person typed, except the password. */
export function personFields({ username, fullname, email, mobile }: RegistrationForm) {
  return {
    username: usernameField("username", username),
    fullname: textField("fullname", fullname, { min: 1, max: 255 }),
    email: emailField("email", email),
    mobile: textField("mobile", mobile, { max: 32 }),
  };
}

/** Checks an email address that a person typed. */
export function emailField(field: string, value: string): string {
  const email = textField(field, value, { max: 254 });
  const at = email.lastIndexOf("@");
  const isValid = at > 0 && at <= 64 && !/[\s@<>"]/.test(email.slice(0, at)) &&
    asciiHostName(email.slice(at + 1)) !== undefined;
  if (isValid) return email;
  throw invalid(field, `must be an email address such as ada@example.com, got "${email.slice(0, 60)}"`);
}
