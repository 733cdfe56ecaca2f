import { X509Certificate } from "node:crypto";
import { hostname } from "node:os";
import type { Clock } from "../../base/clock.ts";
import { type AlarmSource, alarmSource } from "../../events/alarm.ts";
import { ownCertificate } from "../../kernel/alarms/kernel_alarms.ts";

/** The time before its end at which a certificate must have been replaced. */
const RENEWAL_MILLISECONDS = 14 * 86_400_000;

/** A certificate that a listener uses. */
export interface ServedCertificate {
  readonly file: string;
  /** PEM text as it was loaded, which may no longer be that of the file. */
  readonly cert: string;
}

/** The certificates that the listeners of this process use. */
export class ServedCertificates {
  readonly #clock: Clock;
  #read: () => readonly ServedCertificate[] = () => [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Names the certificates that are in use, whenever they are asked for. */
  watch(read: () => readonly ServedCertificate[]): void {
    this.#read = read;
  }

  /** Looks for certificates in use that expire soon. */
  get source(): AlarmSource {
    return alarmSource(ownCertificate, async () => {
      const found = this.#read().map(({ file, cert }) => {
        const { fingerprint256, validTo } = new X509Certificate(cert);
        return { file, fingerprint: fingerprint256.replaceAll(":", "").toLowerCase(), expiresAt: Date.parse(validTo) };
      });
      const latest = this.#clock.now() + RENEWAL_MILLISECONDS;
      const distinct = new Map(found.map((one) => [one.fingerprint, one]));
      return [...distinct.values()].filter(({ expiresAt }) => expiresAt < latest).map((one) => ({
        subject: one.fingerprint,
        data: { ...one, machine: hostname(), expiresAt: BigInt(Math.floor(one.expiresAt / 1000)) },
      }));
    });
  }
}
