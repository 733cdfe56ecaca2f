import type { Language } from "./settings.ts";

/** Returns the mail with a code. */
export function codeMail(language: Language, code: string, minutes: bigint) {
  if (language === "zh") {
    return {
      subject: "重置密码的验证码",
      body: `您重置密码的验证码：${code}\n\n` +
        `验证码在 ${minutes} 分钟内有效，只能使用一次。请勿告诉任何人。如非您本人操作，请忽略本邮件，您的密码不会改变。`,
    };
  }
  return {
    subject: "The code to reset your password",
    body: `The code to reset your password is: ${code}\n\n` +
      `It is valid for ${minutes} minutes, once. Keep it to yourself. If you did not ask for it, ignore this mail: your ` +
      `password stays as it is.`,
  };
}
