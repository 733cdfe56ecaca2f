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

/** A shorter username occurs in many a good password by chance. */
const MIN_TELLING_USERNAME = 4;

/** Whether a password is easy to guess: common, the username, one character over and over, or digits only. */
export function isWeakPassword(username: string, password: string): boolean {
  const text = password.toLowerCase();
  const namesItsOwner = username.length >= MIN_TELLING_USERNAME && text.includes(username.toLowerCase());
  return namesItsOwner || COMMON.has(text) || new Set(text).size < 5 || /^\d+$/.test(text);
}
