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

/** Whether a password is easy to guess: common, the username, one character over and over, or digits only. */
export function isWeakPassword(username: string, password: string): boolean {
  const text = password.toLowerCase();
  return COMMON.has(text) || text.includes(username.toLowerCase()) || new Set(text).size < 5 || /^\d+$/.test(text);
}
