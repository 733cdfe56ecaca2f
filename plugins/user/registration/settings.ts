import type { UserConfig } from "../proto/config_pb.ts";

/** Says whether people may register, and how many. */
export interface RegistrationSettings {
  readonly isOpen: boolean;
  /** Within 24 hours. */
  readonly maxPerAddress: number;
  /** Within 24 hours. */
  readonly maxPerDay: number;
}

const [DEFAULT_PER_ADDRESS, MAX_PER_ADDRESS] = [3, 1000];
const [DEFAULT_PER_DAY, MAX_PER_DAY] = [100, 100_000];

/** @throws Error, which stops the start, for a setting that is out of range */
export function registrationSettings(
  { registration, registrationsPerAddress, registrationsPerDay }: Pick<
    UserConfig,
    "registration" | "registrationsPerAddress" | "registrationsPerDay"
  >,
): RegistrationSettings {
  return {
    isOpen: registration,
    maxPerAddress: setting(
      "registrationsPerAddress",
      registrationsPerAddress || DEFAULT_PER_ADDRESS,
      MAX_PER_ADDRESS,
    ),
    maxPerDay: setting("registrationsPerDay", registrationsPerDay || DEFAULT_PER_DAY, MAX_PER_DAY),
  };
}

function setting(name: string, value: number, max: number): number {
  if (value >= 1 && value <= max) return value;
  throw new Error(`${name} must be 0 or 1 to ${max}, got ${value}`);
}
