/** What the operator finds beside the bundles. */
export function edgeReadme(
  bundles: readonly { readonly bundle: string; readonly runtime: string; readonly size: string }[],
): string {
  return `# Edgehelm at the edge

${bundles.map(({ bundle, runtime, size }) => `- \`${bundle}\`: ${runtime} (${size})`).join("\n")}
- \`plugins.ts\`, \`worker.ts\`, \`deno.ts\`: what they are made of, for a bundler of your own

Written by \`deno task bundle\`, which overwrites all but \`wrangler.jsonc\` and \`workerd.capnp\`.

## Before the first deployment, and before each release

The tables are made from elsewhere, with the same plugins and the same key:

    export EDGEHELM_DATABASE_URL=libsql://your-database.example EDGEHELM_DATABASE_TOKEN=... EDGEHELM_KEY=...
    deno task migrate

The first time it prints the first access key. A deployment whose release does not fit the tables answers
\`unavailable\` and says so on /readyz, and serves as soon as they fit.

## Cloudflare Workers

Put the database's URL into \`wrangler.jsonc\`, then:

    npx wrangler secret put EDGEHELM_KEY
    npx wrangler secret put EDGEHELM_DATABASE_TOKEN
    npx wrangler deploy

## workerd, on a machine of your own

    npx workerd serve workerd.capnp

It knows no schedule: run background jobs on a host (\`deno task start\` on the same database).

## Deno Deploy

Make \`deno.js\` the entry point, and set EDGEHELM_DATABASE_URL, EDGEHELM_DATABASE_TOKEN and EDGEHELM_KEY.
On a machine of your own: \`deno run --allow-net --allow-env --unstable-cron deno.js\`.
`;
}
