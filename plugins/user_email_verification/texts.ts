import type { Language } from "./settings.ts";

interface Mail {
  readonly subject: string;
  readonly body: string;
}

/** Returns the mail with a code. */
export function verificationMail(language: Language, code: string, link: string, hours: bigint): Mail {
  const address = link.replace("{code}", code);
  if (language === "zh") {
    const how = address === "" ? `验证码：${code}` : `请打开：${address}\n\n或输入验证码：${code}`;
    return {
      subject: "验证您的电子邮箱",
      body:
        `请验证您账户的电子邮箱。\n\n${how}\n\n验证码在 ${hours} 小时内有效，只能使用一次。如非您本人操作，请忽略本邮件。`,
    };
  }
  const how = address === "" ? `The code is: ${code}` : `Open: ${address}\n\nOr enter the code: ${code}`;
  return {
    subject: "Verify your email address",
    body: `Verify the email address of your account.\n\n${how}\n\n` +
      `The code is valid for ${hours} hours, once. If you did not ask for it, ignore this mail.`,
  };
}
