import { Installation } from "../../installation/installation.ts";
import { rateMeasurement } from "../../measurement/rate.ts";
import { hasEtcd, startEtcd } from "../../peers/etcd.ts";
import { hasPowerDNS, startPowerDNS } from "../../peers/powerdns.ts";
import type { Progress } from "../../report/progress.ts";
import type { Measurement, Suite } from "../../suite.ts";
import { etcdCalls, ourCalls, powerDNSCalls, type RatedCall } from "./calls.ts";

const CONNECTIONS = 16;

/**
 * Edgehelm beside PowerDNS (zones through its API, on SQLite) and etcd (keys through its JSON gateway): all of them over
 * HTTP/1.1 by keep-alive connections, with durable writes.
 */
export const peers: Suite = {
  async open({ root, seconds, progress }) {
    const stack = new AsyncDisposableStack();
    const load = { connections: CONNECTIONS, seconds };
    const measure = ({ name, call, thingsPerCall }: RatedCall, port: number) =>
      rateMeasurement(name, () => port, call, load, thingsPerCall);
    const ours = stack.use(await Installation.start(root));
    const measurements: Measurement[] = (await ourCalls(ours)).map((call) => measure(call, ours.httpPort));
    if (hasPowerDNS()) {
      const { port } = stack.use(await startPowerDNS());
      measurements.push(...(await powerDNSCalls(port)).map((call) => measure(call, port)));
    } else skip(progress, "PowerDNS", "pdns-server pdns-backend-sqlite3");
    if (hasEtcd()) {
      const { port } = stack.use(await startEtcd());
      measurements.push(...(await etcdCalls(port)).map((call) => measure(call, port)));
    } else skip(progress, "etcd", "etcd-server");
    return { measurements, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  },
};

function skip(progress: Progress, name: string, packages: string): void {
  progress.note(`skipped ${name}, which is not installed: apt-get install ${packages}`);
}
