import { defineEvent } from "edgehelm/runtime";
import { NSRecordCameUpSchema, NSRecordWentDownSchema } from "./proto/events_pb.ts";

export const wentDown = defineEvent({
  name: "ns_record.went_down",
  level: "error",
  data: NSRecordWentDownSchema,
  about: "nsRecordId",
  isForOwner: true,
  modules: ["ns"],
  texts: {
    en: {
      subject: "{value} of {domain} is down",
      body: "Health checks of {value} fail: the record {name} {type} of {domain} is left out of answers.",
    },
    zh: {
      subject: "{domain} 的 {value} 不可用",
      body: "{value} 的健康检查失败：解析结果不再包含域名 {domain} 的记录 {name} {type}。",
    },
  },
});

export const cameUp = defineEvent({
  name: "ns_record.came_up",
  level: "success",
  data: NSRecordCameUpSchema,
  about: "nsRecordId",
  isForOwner: true,
  modules: ["ns"],
  texts: {
    en: {
      subject: "{value} of {domain} is up again",
      body: "The record {name} {type} with the value {value} of {domain} is in answers again.",
    },
    zh: {
      subject: "{domain} 的 {value} 已恢复",
      body: "解析结果重新包含域名 {domain} 的记录 {name} {type}，值 {value}。",
    },
  },
});

export const EVENTS = [wentDown, cameUp];
