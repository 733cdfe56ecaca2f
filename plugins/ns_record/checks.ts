import type { NSDomainSummary } from "../ns_domain/contract.ts";
import type { NSRecordRow } from "./store.ts";

interface Check {
  readonly isOn?: boolean;
  readonly port?: number;
  readonly timeoutSeconds?: number;
  readonly countUp?: number;
  readonly countDown?: number;
}

const DEFAULTS = { port: 80, timeoutSeconds: 5, countUp: 1, countDown: 3 } as const;

/** Returns true if a health check is turned on. */
export function isChecked(json: Uint8Array | null): boolean {
  return read(json).isOn === true;
}

/** Returns the numbers with which nodes check a record: its own, those of the domain, or the defaults. */
export function effectiveCheck(row: NSRecordRow, { recordsHealthCheckJSON }: NSDomainSummary) {
  const [own, ofDomain] = [read(row.healthCheckJSON), read(recordsHealthCheckJSON)];
  const number = (key: keyof typeof DEFAULTS) => own[key] || ofDomain[key] || DEFAULTS[key];
  return {
    port: number("port"),
    timeoutSeconds: number("timeoutSeconds"),
    countUp: number("countUp"),
    countDown: number("countDown"),
  };
}

function read(json: Uint8Array | null): Check {
  return json === null || json.length === 0 ? {} : JSON.parse(new TextDecoder().decode(json)) as Check;
}
