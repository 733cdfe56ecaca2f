/** The texts in which the condition "anywhere" looks for a part; it also looks for a whole tag or method. */
export const ANYWHERE_TEXTS = ["remoteAddr", "requestURI", "host", "userAgent"] as const;

/** Converts a host with wildcards * to a LIKE pattern with the escape character \. */
export function likePattern(host: string): string {
  return host.split("*").map((part) => part.replace(/[\\%_]/g, "\\$&")).join("%");
}
