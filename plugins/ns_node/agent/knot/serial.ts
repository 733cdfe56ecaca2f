const HALF = 2 ** 31;
const ALL = 2 ** 32;

/** Returns true if a serial comes after another one (RFC 1982). */
export function isAfter(serial: number, other: number): boolean {
  const distance = (serial - other + ALL) % ALL;
  return distance > 0 && distance < HALF;
}

/**
 * Returns the serial to serve: that of the server, or the one after what was served, if the server was restored from a
 * backup. 0 means that nothing was served.
 */
export function nextSerial(serial: number, served: number): number {
  if (served === 0 || isAfter(serial, served)) return serial;
  return (served + 1) % ALL || 1;
}
