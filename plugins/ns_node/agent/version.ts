/** The bundler replaces it, for packages of another version. */
declare const EDGE_DNS_VERSION: string | undefined;

/** The version that the agent reports, and that of its package. */
export const VERSION: string = typeof EDGE_DNS_VERSION === "string" ? EDGE_DNS_VERSION : "0.1.0";
