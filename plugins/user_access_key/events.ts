import { defineEvent } from "edgehelm/runtime";
import { UserAccessKeyMadeSchema } from "./proto/events_pb.ts";

export const keyMade = defineEvent({
  name: "user_access_key.made",
  level: "info",
  data: UserAccessKeyMadeSchema,
  about: "userAccessKeyId",
  isForOwner: true,
  modules: ["user"],
  texts: {
    en: {
      subject: "An access key was made",
      body: "The access key {uniqueId} was made by the caller {madeBy} from {address}: {description}",
    },
    zh: { subject: "已创建访问密钥", body: "调用者 {madeBy} 从 {address} 创建了访问密钥 {uniqueId}：{description}" },
  },
});

export const EVENTS = [keyMade];
