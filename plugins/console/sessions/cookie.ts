/** The two parts of a session's cookie. */
export interface Cookie {
  readonly uniqueId: string;
  readonly secret: string;
}

// Browsers accept a name with this prefix over HTTPS only, and from this host only.
const SECURE_NAME = "__Host-edgehelm";
const PLAIN_NAME = "edgehelm_session";
const VALUE = /^([A-Za-z0-9]{16})\.([A-Za-z0-9]{43})$/;

/** Returns the cookie of a request, or undefined if it has none that is well-formed. */
export function cookieOf({ headers }: Request): Cookie | undefined {
  const pairs = (headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  for (const name of [SECURE_NAME, PLAIN_NAME]) {
    const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
    const [, uniqueId, secret] = VALUE.exec(value ?? "") ?? [];
    if (uniqueId !== undefined && secret !== undefined) return { uniqueId, secret };
  }
  return undefined;
}

/** Returns the header that sets the cookie. */
export function setCookie(request: Request, { uniqueId, secret }: Cookie, seconds: number): string {
  return header(request, `${uniqueId}.${secret}`, seconds);
}

/** Returns the header that deletes the cookie. */
export function clearCookie(request: Request): string {
  return header(request, "", 0);
}

function header(request: Request, value: string, seconds: number): string {
  const isSecure = (request.headers.get("origin") ?? request.url).startsWith("https:");
  const common = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}`;
  return isSecure ? `${SECURE_NAME}=${value}; ${common}; Secure` : `${PLAIN_NAME}=${value}; ${common}`;
}
