import { defineEvent } from "edgehelm/runtime";
import { ReportNodeAddressBrokeSchema, ReportNodeAddressRecoveredSchema } from "./proto/events_pb.ts";

export const addressBroke = defineEvent({
  name: "report_node.address_broke",
  level: "error",
  data: ReportNodeAddressBrokeSchema,
  about: "nodeIPAddressId",
  modules: ["node"],
  texts: {
    en: { subject: "The address {ip} is broken", body: "{connectivity} % of the report nodes reach {ip}." },
    zh: { subject: "地址 {ip} 无法访问", body: "只有 {connectivity} % 的监测节点可以访问 {ip}。" },
  },
});

export const addressRecovered = defineEvent({
  name: "report_node.address_recovered",
  level: "success",
  data: ReportNodeAddressRecoveredSchema,
  about: "nodeIPAddressId",
  modules: ["node"],
  texts: {
    en: { subject: "The address {ip} is reached again", body: "The report nodes reach {ip} again." },
    zh: { subject: "地址 {ip} 已恢复", body: "监测节点可以再次访问 {ip}。" },
  },
});

export const EVENTS = [addressBroke, addressRecovered];
