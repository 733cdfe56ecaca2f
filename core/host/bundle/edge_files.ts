/** The compatibility date of workerd that the bundle is tested with. */
export const COMPATIBILITY_DATE = "2026-07-01";

/** The entry module for Cloudflare Workers and workerd. */
export const CLOUDFLARE_ENTRY = `import { createFetch, type EdgeVariables, fromVariables } from "edgehelm/edge";
import { databaseUrl, installation } from "./plugins.ts";

const fetch = createFetch((variables: EdgeVariables) => ({
  ...installation,
  ...fromVariables(variables, databaseUrl),
  remoteAddress: (request) => request.headers.get("cf-connecting-ip") ?? undefined,
}));

export default { fetch, scheduled: fetch.scheduled };
`;

/** The entry module for Deno Deploy. */
export const DENO_ENTRY = `import { createFetch, fromVariables } from "edgehelm/edge";
import { databaseUrl, installation } from "./plugins.ts";

const fetch = createFetch<Deno.ServeHandlerInfo<Deno.NetAddr>>({
  ...installation,
  ...fromVariables({
    EDGEHELM_DATABASE_URL: Deno.env.get("EDGEHELM_DATABASE_URL"),
    EDGEHELM_DATABASE_TOKEN: Deno.env.get("EDGEHELM_DATABASE_TOKEN"),
    EDGEHELM_KEY: Deno.env.get("EDGEHELM_KEY"),
    EDGEHELM_METRICS_TOKEN: Deno.env.get("EDGEHELM_METRICS_TOKEN"),
  }, databaseUrl),
  remoteAddress: (_request, { remoteAddr }) => remoteAddr.hostname,
});

// On your own machine this requires the flag --unstable-cron.
Deno.cron?.("edgehelm jobs", "* * * * *", () => fetch.scheduled());
Deno.serve((request, info) => fetch(request, info));
`;

/** An example configuration for \`wrangler deploy\`. */
export const WRANGLER_CONFIG = `{
  "name": "edgehelm",
  "main": "worker.js",
  "no_bundle": true,
  "compatibility_date": "${COMPATIBILITY_DATE}",
  // background jobs
  "triggers": { "crons": ["* * * * *"] },
  "vars": { "EDGEHELM_DATABASE_URL": "libsql://your-database.example" }
  // set two secrets as well: npx wrangler secret put EDGEHELM_KEY, npx wrangler secret put EDGEHELM_DATABASE_TOKEN
}
`;

/** An example configuration for \`workerd serve\`. */
export const WORKERD_CONFIG = `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "edgehelm", worker = .edgehelm),
    # the database may be on a private network
    (name = "network", network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true))),
  ],
  sockets = [(
    name = "http",
    address = "127.0.0.1:8080",
    service = "edgehelm",
    # Cloudflare sets this header; here workerd must, so that clients cannot forge it
    http = (injectRequestHeaders = [(name = "CF-Connecting-IP")]),
  )],
);

const edgehelm :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "${COMPATIBILITY_DATE}",
  bindings = [
    (name = "EDGEHELM_DATABASE_URL", fromEnvironment = "EDGEHELM_DATABASE_URL"),
    (name = "EDGEHELM_DATABASE_TOKEN", fromEnvironment = "EDGEHELM_DATABASE_TOKEN"),
    (name = "EDGEHELM_KEY", fromEnvironment = "EDGEHELM_KEY"),
    (name = "EDGEHELM_METRICS_TOKEN", fromEnvironment = "EDGEHELM_METRICS_TOKEN"),
  ],
  globalOutbound = "network",
);
`;
