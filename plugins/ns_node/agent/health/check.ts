import { connect } from "node:net";

/** A health check as records and domains have it, where 0 means the setting of the domain or the default. */
export interface CheckSetting {
  readonly isOn: boolean;
  readonly port: number;
  readonly timeoutSeconds: number;
  readonly countUp: number;
  readonly countDown: number;
}

/** A longer time would hold up the other checks of a domain. */
const MAX_TIMEOUT_SECONDS = 10;
const DEFAULTS = { port: 80, timeoutSeconds: 5, countUp: 1, countDown: 3 } as const;

/** Reads `healthCheckJSON` of a record or `recordsHealthCheckJSON` of a domain; undefined if there is no setting. */
export function checkSetting(json: Uint8Array): CheckSetting | undefined {
  if (json.length === 0) return undefined;
  const { isOn = false, port = 0, timeoutSeconds = 0, countUp = 0, countDown = 0 } = JSON.parse(
    new TextDecoder().decode(json),
  ) as Partial<CheckSetting>;
  return { isOn, port, timeoutSeconds, countUp, countDown };
}

/** Returns the check of a record: its own setting, and what that leaves open from its domain; undefined if it is off. */
export function effectiveCheck(
  own: CheckSetting | undefined,
  ofDomain: CheckSetting | undefined,
): CheckSetting | undefined {
  const { isOn = false } = own ?? ofDomain ?? {};
  if (!isOn) return undefined;
  const number = (key: keyof typeof DEFAULTS) => own?.[key] || ofDomain?.[key] || DEFAULTS[key];
  return {
    isOn,
    port: number("port"),
    timeoutSeconds: Math.min(number("timeoutSeconds"), MAX_TIMEOUT_SECONDS),
    countUp: number("countUp"),
    countDown: number("countDown"),
  };
}

/** Returns true if an address accepts a TCP connection within a time. */
export function accepts(address: string, port: number, timeoutSeconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port });
    const timer = setTimeout(() => end(false), timeoutSeconds * 1000);
    const end = (isUp: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(isUp);
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
  });
}
