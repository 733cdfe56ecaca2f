import { invalid } from "edgehelm";

const USERNAME = /^[A-Za-z0-9][A-Za-z0-9_.@-]{1,63}$/;
const COMMON = new Set([
  "password",
  "passw0rd",
  "administrator",
  "qwertyui",
  "qwerty123",
  "letmein1",
  "welcome1",
  "iloveyou",
]);

/** Checks a username: it is what an operator types and what logs show. */
export function usernameField(username: string): string {
  const name = username.trim();
  if (USERNAME.test(name)) return name;
  throw invalid(
    "username",
    `must be 2 to 64 letters, digits, _ . @ or -, and begin with a letter or digit, got "${name.slice(0, 60)}"`,
  );
}

/** Whether a password is easy to guess: common, the username, one character over and over, or digits only. */
export function isWeakPassword(username: string, password: string): boolean {
  const text = password.toLowerCase();
  return COMMON.has(text) || text.includes(username.toLowerCase()) || new Set(text).size < 5 || /^\d+$/.test(text);
}

/** `%text%` for LIKE with `escape '\'`, its wildcards taken as they stand. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}
