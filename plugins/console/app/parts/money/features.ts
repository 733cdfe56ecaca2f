import { textTable } from "../../texts/table.ts";

/** The features of plans by their codes. */
export const features = textTable({
  en: {
    "server.accessLog": "access logs",
    "server.viewAccessLog": "viewing access logs",
    "server.tcp.port": "ports of TCP sites",
    "server.udp.port": "ports of UDP sites",
    "server.waf": "firewall",
    "server.script": "scripts",
    "server.optimization": "page optimization",
    "server.uam": "visitor checks",
    "server.webp": "WebP images",
    "server.cc": "protection from floods",
    "server.auth": "access control",
    "server.websocket": "WebSocket",
    "server.http3": "HTTP/3",
    "server.referers": "referrer rules",
    "server.userAgent": "user agent rules",
    "server.requestLimit": "request limits",
    "server.compression": "compression",
    "server.rewriteRules": "rewrite rules",
    "server.hostRedirects": "redirects",
    "server.httpHeaders": "headers",
    "server.pages": "error pages",
  },
  zh: {
    "server.accessLog": "访问日志",
    "server.viewAccessLog": "查看访问日志",
    "server.tcp.port": "TCP 端口",
    "server.udp.port": "UDP 端口",
    "server.waf": "WAF 防火墙",
    "server.script": "脚本",
    "server.optimization": "页面优化",
    "server.uam": "访客验证",
    "server.webp": "WebP 图片",
    "server.cc": "CC 防护",
    "server.auth": "访问鉴权",
    "server.websocket": "WebSocket",
    "server.http3": "HTTP/3",
    "server.referers": "防盗链",
    "server.userAgent": "User-Agent 规则",
    "server.requestLimit": "请求限制",
    "server.compression": "压缩",
    "server.rewriteRules": "重写规则",
    "server.hostRedirects": "跳转",
    "server.httpHeaders": "HTTP 报头",
    "server.pages": "自定义错误页",
  },
});

/** Returns the name of a feature; one that is not known here has its code. */
export function featureName(code: string): string {
  return (features.value as Readonly<Record<string, string>>)[code] ?? code.replace(/^server\./, "");
}
