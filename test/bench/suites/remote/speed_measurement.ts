import process from "node:process";
import { mean, median, quantile } from "../../report/statistics.ts";
import type { Measurement } from "../../suite.ts";

/** Calls by which round trips are counted. */
const TRIP_CALLS = 20;
/** A call that takes longer ends the bench: sqld can get stuck between clients that write at the same time. */
const LIMIT_MILLISECONDS = 30_000;
/** Short slices by turns, since other work on the machine comes and goes. */
const SLICES = 2;

type Work = () => Promise<unknown>;

interface Speed {
  readonly perSecond: number;
  readonly p99: number;
  /** Processor time of this process for a call; the server's is not in it. */
  readonly cpu: number;
}

/** Requests to the server for one call, cache warm; the check of tokens, once a second, falls out as the exception. */
export function roundTripMeasurement(name: string, engine: { readonly roundTrips: number }, call: Work): Measurement {
  return {
    figures: [{ name: `${name}_round_trips`, unit: "trips" }],
    async measure() {
      const trips: number[] = [];
      for (let made = 0; made < TRIP_CALLS; made++) {
        const before = engine.roundTrips;
        await call();
        trips.push(engine.roundTrips - before);
      }
      return [median(trips)];
    },
  };
}

/** Our calls and the client's with the same number in flight. */
export function speedMeasurement(
  name: string,
  ours: Work,
  client: Work,
  inFlight: number,
  seconds: number,
): Measurement {
  return {
    figures: [
      { name: `${name}_vs_client`, unit: "times" },
      { name: `${name}_rate`, unit: "per s" },
      { name: `${name}_p99`, unit: "ms" },
      { name: `${name}_client_p99`, unit: "ms" },
      { name: `${name}_cpu`, unit: "us" },
      { name: `${name}_client_cpu`, unit: "us" },
    ],
    async measure() {
      const [our, their]: [Speed[], Speed[]] = [[], []];
      for (let slice = 0; slice < SLICES; slice++) {
        our.push(await speed(withLimit(name, ours), inFlight, seconds * 500 / SLICES));
        their.push(await speed(withLimit(`${name} of the client`, client), inFlight, seconds * 500 / SLICES));
      }
      const [one, other] = [average(our), average(their)];
      return [one.perSecond / other.perSecond, one.perSecond, one.p99, other.p99, one.cpu, other.cpu];
    },
  };
}

function withLimit(name: string, call: Work): Work {
  return async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    const late = () => reject(new Error(`${name}: a call got no response within ${LIMIT_MILLISECONDS / 1000} s`));
    const timer = setTimeout(late, LIMIT_MILLISECONDS);
    try {
      return await Promise.race([call(), promise]);
    } finally {
      clearTimeout(timer);
    }
  };
}

function average(speeds: readonly Speed[]): Speed {
  const of = (value: (speed: Speed) => number) => mean(speeds.map(value));
  return { perSecond: of((one) => one.perSecond), p99: of((one) => one.p99), cpu: of((one) => one.cpu) };
}

async function speed(call: Work, inFlight: number, milliseconds: number): Promise<Speed> {
  const started = performance.now();
  const used = process.cpuUsage();
  const latencies: number[] = [];
  async function caller(): Promise<void> {
    for (let now = performance.now(); now - started < milliseconds;) {
      await call();
      const then = performance.now();
      latencies.push(then - now);
      now = then;
    }
  }
  await Promise.all(Array.from({ length: inFlight }, caller));
  const { user, system } = process.cpuUsage(used);
  return {
    perSecond: latencies.length / (performance.now() - started) * 1000,
    p99: quantile(latencies, 0.99),
    cpu: (user + system) / latencies.length,
  };
}
