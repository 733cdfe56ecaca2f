const DAY = 86_400n;
const RENEWAL_SECONDS = 30n * DAY;
const FIRST_RETRY_SECONDS = 60n;
const MAX_RETRY_SECONDS = 21_600n;
const FIRST_REPEAT_SECONDS = 3600n;
const MAX_REPEAT_SECONDS = DAY;
const FIRST_CHECK_SECONDS = 2n;
const MAX_CHECK_SECONDS = 60n;

/** The minimum time between two orders that succeed, should the clocks of provider and installation differ. */
const MIN_RENEWAL_SECONDS = 21_600n;

/**
 * Returns when to renew a certificate: 30 days before its end, or for a short one when a third of its time is left, and up
 * to a thirtieth of its time earlier, so that certificates of one day are not renewed together.
 */
export function renewalAt(begin: bigint, end: bigint, now: bigint): bigint {
  const lifetime = end > begin ? end - begin : 0n;
  const before = lifetime / 3n < RENEWAL_SECONDS ? lifetime / 3n : RENEWAL_SECONDS;
  const at = end - before - random(lifetime / 30n < DAY ? lifetime / 30n : DAY);
  return at > now + MIN_RENEWAL_SECONDS ? at : now + MIN_RENEWAL_SECONDS;
}

/** Returns the seconds until the next attempt after a number of temporary errors. */
export function retrySeconds(attempts: bigint): bigint {
  const seconds = doubled(FIRST_RETRY_SECONDS, attempts, MAX_RETRY_SECONDS);
  return seconds + random(seconds / 10n);
}

/** Returns the seconds until a new order after a number of orders that failed. */
export function repeatSeconds(failures: bigint): bigint {
  const seconds = doubled(FIRST_REPEAT_SECONDS, failures, MAX_REPEAT_SECONDS);
  return seconds + random(seconds / 10n);
}

/** Returns the seconds until the provider is asked again whether it has checked. */
export function checkSeconds(checks: bigint): bigint {
  return doubled(FIRST_CHECK_SECONDS, checks + 1n, MAX_CHECK_SECONDS);
}

function doubled(first: bigint, times: bigint, max: bigint): bigint {
  const seconds = first << (times < 20n ? times - 1n : 19n);
  return seconds < max ? seconds : max;
}

function random(below: bigint): bigint {
  return BigInt(crypto.getRandomValues(new Uint32Array(1))[0]!) % (below + 1n);
}
