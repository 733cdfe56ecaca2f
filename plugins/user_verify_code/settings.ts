import { choiceField, numberField } from "edgehelm";
import type { UserVerifyCodeConfig } from "./proto/config_pb.ts";

export type Language = "en" | "zh";

/** The settings of the installation, with defaults for those that it leaves out. */
export interface CodeSettings {
  readonly language: Language;
  /** 0 for the first instance of the media email. */
  readonly messageMediaInstanceId: bigint;
  readonly perEmail: number;
  /** From one address for one email address, so that another person does not use up all of them. */
  readonly perEmailAndAddress: number;
  readonly perAddress: number;
  readonly perDay: number;
}

/** @throws RpcError, which stops the start, for a setting that is out of range */
export function codeSettings(config: UserVerifyCodeConfig): CodeSettings {
  const bound = (field: "codesPerEmail" | "codesPerAddress" | "codesPerDay", max: number, initial: number) =>
    numberField(field, config[field], { min: 1, max, orZero: true }) || initial;
  const perEmail = bound("codesPerEmail", 100, 10);
  return {
    language: choiceField("language", config.language || "en", ["en", "zh"]) as Language,
    messageMediaInstanceId: config.messageMediaInstanceId,
    perEmail,
    perEmailAndAddress: Math.ceil(perEmail / 2),
    perAddress: bound("codesPerAddress", 1000, 20),
    perDay: bound("codesPerDay", 100_000, 1000),
  };
}
