import { createServer, type Server } from "node:http";

const HELP = {
  connected: "1 while the stream to the API is open.",
  zones: "The zones that Knot serves for this node.",
  records: "The records of these zones.",
  syncs: "Rounds that brought this node up to date.",
  sync_errors: "Rounds that ended with an error.",
  sync_seconds: "The seconds that all rounds took.",
  commits: "Transactions of zones that Knot took over.",
  rebuilds: "Zones that were written to Knot as a whole, because it had another serial.",
  refused_records: "Records that Knot did not accept.",
  signing_errors: "Attempts to have Knot sign a zone that failed.",
  route_errors: "Attempts to have Knot respond by route and weight that failed.",
  resets: "Rounds that began at version 0, because the installation was restored.",
  reconnects: "Attempts to connect after the first one.",
  queries: "Queries that were counted for statistics.",
  lost_queries: "Queries that could not be counted, or whose statistics the API refused.",
  uploads: "Uploads of statistics.",
  health_checks: "Connections that health checks tried to open.",
  health_down: "Records whose address is down, as far as this node can tell.",
  last_sync_time: "The end of the last complete round, in unix seconds.",
} as const;

/** The counters and gauges of an agent. */
export class Metrics {
  readonly #values = new Map<keyof typeof HELP, number>();

  add(name: keyof typeof HELP, value = 1): void {
    this.set(name, this.get(name) + value);
  }

  set(name: keyof typeof HELP, value: number): void {
    this.#values.set(name, value);
  }

  get(name: keyof typeof HELP): number {
    return this.#values.get(name) ?? 0;
  }

  /** Returns them in the text format of Prometheus. */
  text(): string {
    const names = Object.keys(HELP) as (keyof typeof HELP)[];
    return names.map((name) => `# HELP edge_dns_${name} ${HELP[name]}\nedge_dns_${name} ${this.get(name)}\n`).join("");
  }

  /** Serves them over HTTP at `host:port`. */
  serve(address: string): Promise<Server> {
    const at = address.lastIndexOf(":");
    const server = createServer((_request, response) => {
      response.setHeader("content-type", "text/plain; version=0.0.4").end(this.text());
    });
    return new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(Number(address.slice(at + 1)), address.slice(0, at), () => resolve(server));
    });
  }
}
