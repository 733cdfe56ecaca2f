import type { AdminRow } from "./store.ts";

/** Returns true if an admin may log in to consoles and have access tokens. */
export function mayLogIn({ isOn, canLogin }: Pick<AdminRow, "isOn" | "canLogin">): boolean {
  return isOn === 1n && canLogin === 1n;
}

const COMMON_PASSWORDS = new Set([
  "password",
  "passw0rd",
  "administrator",
  "qwertyui",
  "qwerty123",
  "letmein1",
  "welcome1",
  "iloveyou",
]);

/** Shorter usernames occur in strong passwords by chance. */
const MIN_USERNAME_LENGTH = 4;

/** Returns true if a password is easy to guess: common, based on the username, repetitive, or digits only. */
export function isWeakPassword(username: string, password: string): boolean {
  const text = password.toLowerCase();
  const containsUsername = username.length >= MIN_USERNAME_LENGTH && text.includes(username.toLowerCase());
  return containsUsername || COMMON_PASSWORDS.has(text) || new Set(text).size < 5 || /^\d+$/.test(text);
}
