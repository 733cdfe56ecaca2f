/** The paths that every installation serves itself, so that no plugin can have them. */
export const OWN_PATHS: ReadonlySet<string> = new Set([
  "/livez",
  "/readyz",
  "/metrics",
  "/.well-known/jwks.json",
  "/explorer",
  "/explorer.js",
  "/explorer.css",
]);
