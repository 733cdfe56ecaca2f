import { invalid } from "edgehelm";
import type { MessageMediaConfig } from "./proto/config_pb.ts";

/** Returns the addresses of the providers, without a slash at the end. */
export function apiUrls({ telegramUrl, weComUrl, aliyunSmsUrl }: MessageMediaConfig) {
  return {
    telegram: urlOf("telegramUrl", telegramUrl, "https://api.telegram.org"),
    weCom: urlOf("weComUrl", weComUrl, "https://qyapi.weixin.qq.com"),
    aliyunSms: urlOf("aliyunSmsUrl", aliyunSmsUrl, "https://dysmsapi.aliyuncs.com"),
  };
}

function urlOf(setting: string, value: string, initial: string): string {
  const url = value || initial;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url.endsWith("/") ? url.slice(0, -1) : url;
  throw invalid(setting, `must be empty or an address with http or https, got "${url.slice(0, 60)}"`);
}
