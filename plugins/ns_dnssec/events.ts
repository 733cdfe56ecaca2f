import { defineEvent } from "edgehelm/runtime";
import { NSDNSSECDSAwaitedSchema, NSDNSSECDSMissingSchema, NSDNSSECKeysMadeSchema } from "./proto/events_pb.ts";

export const keysMade = defineEvent({
  name: "ns_dnssec.keys_made",
  level: "info",
  data: NSDNSSECKeysMadeSchema,
  about: "nsDomainId",
  isForOwner: true,
  modules: ["ns"],
  texts: {
    en: {
      subject: "The domain {name} is signed: publish its DS record",
      body: "The nodes sign the domain {name} with DNSSEC. Within a day, publish this record at its registrar: {ds}",
    },
    zh: {
      subject: "域名 {name} 已签名：请发布 DS 记录",
      body: "节点已用 DNSSEC 为域名 {name} 签名。请在一天内到注册商处发布此记录：{ds}",
    },
  },
});

export const dsAwaited = defineEvent({
  name: "ns_dnssec.ds_awaited",
  level: "warning",
  data: NSDNSSECDSAwaitedSchema,
  about: "nsDomainId",
  isForOwner: true,
  modules: ["ns"],
  texts: {
    en: {
      subject: "The new key of the domain {name} waits for its DS record",
      body: "Publish this DS record of the domain {name} at its registrar now, then confirm the new key: {ds}",
    },
    zh: {
      subject: "域名 {name} 的新密钥等待 DS 记录",
      body: "请立即到注册商处发布域名 {name} 的此 DS 记录，然后确认新密钥：{ds}",
    },
  },
});

export const dsMissing = defineEvent({
  name: "ns_dnssec.ds_missing",
  level: "error",
  data: NSDNSSECDSMissingSchema,
  about: "nsDomainId",
  isForOwner: true,
  modules: ["ns"],
  texts: {
    en: {
      subject: "The parent of the domain {name} does not have its DS record",
      body: "The DS records of the domain {name} at its parent are {parentStatus}. It must have this one: {ds}",
    },
    zh: {
      subject: "域名 {name} 的上级没有其 DS 记录",
      body: "域名 {name} 在上级的 DS 记录状态为 {parentStatus}。必须有此记录：{ds}",
    },
  },
});

export const EVENTS = [keysMade, dsAwaited, dsMissing];
