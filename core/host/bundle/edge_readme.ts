/** Returns the README that is written beside the bundles. */
export function edgeReadme(
  bundles: readonly { readonly bundle: string; readonly runtime: string; readonly size: string }[],
): string {
  return `# Edgehelm at the edge

${bundles.map(({ bundle, runtime, size }) => `- \`${bundle}\`: ${runtime} (${size})`).join("\n")}
- \`plugins.ts\`, \`worker.ts\`, \`deno.ts\`: their sources, for use with another bundler

\`deno task bundle\` writes this folder. It overwrites all files except \`wrangler.jsonc\` and
\`workerd.capnp\`.

## Before the first deployment, and before each release

Migrate the database from a host, with the same plugins and the same key:

    export EDGEHELM_DATABASE_URL=libsql://your-database.example EDGEHELM_DATABASE_TOKEN=... EDGEHELM_KEY=...
    deno task migrate

The first run prints the first access key. While release and schema differ, a deployment responds with \`unavailable\`,
and /readyz responds with 503 and the cause. It starts to serve as soon as they match.

## Cloudflare Workers

Set the database URL in \`wrangler.jsonc\`, then run:

    npx wrangler secret put EDGEHELM_KEY
    npx wrangler secret put EDGEHELM_DATABASE_TOKEN
    npx wrangler deploy

## Metrics

\`/metrics\` is served if EDGEHELM_METRICS_TOKEN is set, as a secret like the others, to 16 characters or more. It
responds to requests with the header \`Authorization: Bearer <token>\` only.

## workerd, on your own machine

    npx workerd serve workerd.capnp

workerd has no scheduler. Run background jobs on a host: \`deno task start\` on the same database.

## Deno Deploy

Make \`deno.js\` the entry point and set EDGEHELM_DATABASE_URL, EDGEHELM_DATABASE_TOKEN and EDGEHELM_KEY.
On your own machine: \`deno run --allow-net --allow-env --unstable-cron deno.js\`.
`;
}
