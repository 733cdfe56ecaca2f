import { defineEvent } from "edgehelm/runtime";
import { UserPasswordResetSchema } from "./proto/events_pb.ts";

export const passwordReset = defineEvent({
  name: "user_verify_code.password_reset",
  level: "warning",
  data: UserPasswordResetSchema,
  about: "userId",
  isForOwner: true,
  modules: ["user"],
  texts: {
    en: {
      subject: "A password was reset",
      body:
        "User {userId} set a new password by a code that was mailed, from the address {address}. All sessions ended.",
    },
    zh: { subject: "密码已重置", body: "用户 {userId} 通过邮件验证码从地址 {address} 设置了新密码。所有会话已结束。" },
  },
});

export const EVENTS = [passwordReset];
