import { defineErrors } from "edgehelm";

export const errors = defineErrors("console", {
  // One text for every cause, so that usernames cannot be probed.
  refused: ["unauthenticated", () => "the username or the password is wrong, or you may not sign in"],
  code_refused: ["unauthenticated", () => "the code is wrong, or was used already"],
  reset_refused: ["invalid", () => "code: is wrong, was used, replaced or tried too often, or has expired"],
  key_refused: ["unauthenticated", () => "access key not found: no session for this id, secret and type"],
  restricted: ["forbidden", () => "permission denied: a restricted access key may not change the second factor"],
  password_wrong: ["invalid", () => "password: is wrong, or none is set"],
  signed_out: ["unauthenticated", () => "the session has ended: sign in again"],
  foreign: ["forbidden", () => "permission denied: the request does not come from a page of the console"],
  malformed: ["invalid", (cause: string) => `the body is not a JSON object: ${cause}`],
  field: ["invalid", (name: string, rule: string) => `${name}: ${rule}`],
  session_missing: ["not_found", (id: bigint) => `session ${id} does not exist, or has ended`],
});
