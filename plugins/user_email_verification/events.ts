import { defineEvent } from "edgehelm/runtime";
import { UserEmailVerifiedSchema } from "./proto/events_pb.ts";

export const verified = defineEvent({
  name: "user_email_verification.verified",
  level: "info",
  data: UserEmailVerifiedSchema,
  about: "userId",
  isForOwner: true,
  modules: ["user"],
  texts: {
    en: { subject: "An email address was verified", body: "User {userId} proved to receive mail at {email}." },
    zh: { subject: "电子邮箱已验证", body: "用户 {userId} 已证明可在 {email} 收到邮件。" },
  },
});

export const EVENTS = [verified];
