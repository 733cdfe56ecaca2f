import { defineEvent } from "edgehelm/runtime";
import { ACMECertExpiringSchema, ACMECertFailedSchema, ACMECertIssuedSchema } from "./proto/events_pb.ts";

export const certIssued = defineEvent({
  name: "acme_task.cert_issued",
  level: "success",
  data: ACMECertIssuedSchema,
  about: "acmeTaskId",
  isForOwner: true,
  modules: ["server"],
  texts: {
    en: { subject: "Certificate for {names} issued", body: "The certificate for {names} is valid until {until}." },
    zh: { subject: "{names} 的证书已签发", body: "{names} 的证书有效期至 {until}。" },
  },
});

export const certFailed = defineEvent({
  name: "acme_task.cert_failed",
  level: "error",
  data: ACMECertFailedSchema,
  about: "acmeTaskId",
  isForOwner: true,
  modules: ["server"],
  texts: {
    en: { subject: "No certificate for {names}", body: "The order of a certificate for {names} failed: {error}" },
    zh: { subject: "{names} 的证书申请失败", body: "{names} 的证书申请失败：{error}" },
  },
});

export const certExpiring = defineEvent({
  name: "acme_task.cert_expiring",
  level: "warning",
  data: ACMECertExpiringSchema,
  about: "acmeTaskId",
  isForOwner: true,
  modules: ["server"],
  texts: {
    en: {
      subject: "Certificate for {names} expires soon",
      body: "The certificate for {names} expires on {until}, and was not renewed.",
    },
    zh: { subject: "{names} 的证书即将过期", body: "{names} 的证书将于 {until} 过期，尚未续期。" },
  },
});
