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

/** Returns the mail to an address that is no longer the verified one of its account. */
export function replacedMail(language: Language, address: string): Mail {
  if (language === "zh") {
    return {
      subject: "您的账户已验证另一个电子邮箱",
      body: `您的账户现在使用另一个已验证的电子邮箱，${address} 不再接收密码重置验证码。\n\n` +
        "如非您本人操作，请立即联系管理员。",
    };
  }
  return {
    subject: "Another email address was verified for your account",
    body: `Your account now has another verified email address. Codes that reset its password no longer go to ` +
      `${address}.\n\nIf this was not you, contact the administrators of the platform at once.`,
  };
}
