import { defineEvent } from "edgehelm/runtime";
import { AdminSignedInFromNewAddressSchema, UserSignedInFromNewAddressSchema } from "./proto/events_pb.ts";

export const adminSignedIn = defineEvent({
  name: "login.admin_from_new_address",
  level: "warning",
  data: AdminSignedInFromNewAddressSchema,
  about: "adminId",
  modules: ["admin"],
  texts: {
    en: {
      subject: "Admin {adminId} signed in from a new address",
      body: "Admin {adminId} signed in from {address}. If this was another person, change the password.",
    },
    zh: {
      subject: "管理员 {adminId} 从新地址登录",
      body: "管理员 {adminId} 从 {address} 登录。如非本人操作，请修改密码。",
    },
  },
});

export const userSignedIn = defineEvent({
  name: "login.user_from_new_address",
  level: "warning",
  data: UserSignedInFromNewAddressSchema,
  about: "userId",
  isForOwner: true,
  modules: ["user"],
  texts: {
    en: {
      subject: "Sign-in from a new address",
      body: "User {userId} signed in from {address}. If this was another person, change the password.",
    },
    zh: { subject: "从新地址登录", body: "用户 {userId} 从 {address} 登录。如非本人操作，请修改密码。" },
  },
});

export const EVENTS = [adminSignedIn, userSignedIn];
