import { choiceField, invalid, numberField } from "edgehelm";
import type { UserEmailVerificationConfig } from "./proto/config_pb.ts";

export type Language = "en" | "zh";

/** The settings of the installation, with defaults for those that it leaves out. */
export interface VerificationSettings {
  readonly language: Language;
  /** 0 for the first instance of the media email. */
  readonly messageMediaInstanceId: bigint;
  /** Empty for none. */
  readonly link: string;
  readonly lifetimeSeconds: bigint;
  readonly mailsPerUser: number;
  readonly mailsPerEmail: number;
}

/** @throws RpcError, which stops the start, for a setting that is out of range */
export function verificationSettings(config: UserEmailVerificationConfig): VerificationSettings {
  const { link, messageMediaInstanceId } = config;
  const hours = numberField("hours", config.hours, { min: 1, max: 168, orZero: true }) || 24;
  return {
    language: choiceField("language", config.language || "en", ["en", "zh"]) as Language,
    messageMediaInstanceId,
    link: linkField("link", link),
    lifetimeSeconds: BigInt(hours) * 3600n,
    mailsPerUser: numberField("mailsPerUser", config.mailsPerUser, { min: 1, max: 100, orZero: true }) || 5,
    mailsPerEmail: numberField("mailsPerEmail", config.mailsPerEmail, { min: 1, max: 100, orZero: true }) || 5,
  };
}

function linkField(field: string, link: string): string {
  if (link === "" || (link.includes("{code}") && /^https?:\/\/[^\s]+$/.test(link))) return link;
  throw invalid(
    field,
    `must be empty or an address with http or https that contains {code}, got "${link.slice(0, 60)}"`,
  );
}
