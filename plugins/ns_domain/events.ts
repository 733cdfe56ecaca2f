import type { Call } from "edgehelm";
import { defineEvent, type Events } from "edgehelm/runtime";
import {
  NSDomainForbiddenSchema,
  NSDomainRejectedSchema,
  NSDomainTransferAskedSchema,
  NSDomainTransferredSchema,
  NSDomainVerifiedSchema,
} from "./proto/events_pb.ts";
import type { NSDomainRow } from "./store_tables.ts";

export const verified = defineEvent({
  name: "ns_domain.verified",
  level: "success",
  data: NSDomainVerifiedSchema,
  about: "nsDomainId",
  isForOwner: true,
  modules: ["ns"],
  texts: {
    en: { subject: "The domain {name} is verified", body: "The domain {name} is verified and can be served." },
    zh: { subject: "域名 {name} 已验证", body: "域名 {name} 已通过验证，可以提供服务。" },
  },
});

export const rejected = defineEvent({
  name: "ns_domain.rejected",
  level: "warning",
  data: NSDomainRejectedSchema,
  about: "nsDomainId",
  isForOwner: true,
  modules: ["ns"],
  texts: {
    en: { subject: "The domain {name} was rejected", body: "An admin rejected the domain {name}." },
    zh: { subject: "域名 {name} 被拒绝", body: "管理员拒绝了域名 {name}。" },
  },
});

export const forbidden = defineEvent({
  name: "ns_domain.forbidden",
  level: "error",
  data: NSDomainForbiddenSchema,
  about: "nsDomainId",
  isForOwner: true,
  modules: ["ns"],
  texts: {
    en: { subject: "The domain {name} is forbidden", body: "An admin forbade the domain {name}." },
    zh: { subject: "域名 {name} 被禁止", body: "管理员禁止了域名 {name}。" },
  },
});

export const transferAsked = defineEvent({
  name: "ns_domain.transfer_asked",
  level: "warning",
  data: NSDomainTransferAskedSchema,
  about: "nsDomainId",
  isForOwner: true,
  modules: ["ns"],
  texts: {
    en: {
      subject: "Another account wants the domain {name}",
      body:
        "Another account added the domain {name}. It stays with this account unless the other one proves it by its " +
        "DNS records. If that account is not yours, check who can change them.",
    },
    zh: {
      subject: "其他账户想要域名 {name}",
      body:
        "其他账户添加了域名 {name}。除非对方通过 DNS 记录证明，否则域名仍归本账户。如果那不是您的账户，请检查谁可以修改 DNS 记录。",
    },
  },
});

export const transferred = defineEvent({
  name: "ns_domain.transferred",
  level: "error",
  data: NSDomainTransferredSchema,
  about: "nsDomainId",
  isForOwner: true,
  modules: ["ns"],
  texts: {
    en: {
      subject: "The domain {name} has another owner",
      body: "Another owner proved the domain {name} by its DNS records. It is no longer served for this account.",
    },
    zh: {
      subject: "域名 {name} 已归其他所有者",
      body: "其他所有者通过 DNS 记录证明了域名 {name}。本账户不再为其提供服务。",
    },
  },
});

export const EVENTS = [verified, rejected, forbidden, transferAsked, transferred];

/** Emits the event of a new status, if it is another one than before and has an event. */
export async function emitStatus(events: Events, call: Call, row: NSDomainRow, status: string): Promise<void> {
  if (status === row.status) return;
  const data = { nsDomainId: row.id, name: row.name };
  if (status === "verified") await events.emit(call, verified, data, row.userId);
  if (status === "rejected") await events.emit(call, rejected, data, row.userId);
  if (status === "forbidden") await events.emit(call, forbidden, data, row.userId);
}
