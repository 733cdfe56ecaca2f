import { defineEvent } from "edgehelm/runtime";
import { NSNodeCameBackSchema, NSNodeWentOfflineSchema } from "./proto/events_pb.ts";

export const wentOffline = defineEvent({
  name: "ns_node.went_offline",
  level: "error",
  data: NSNodeWentOfflineSchema,
  about: "nsNodeId",
  modules: ["ns"],
  texts: {
    en: { subject: "DNS node {name} is offline", body: "The DNS node {name} is not connected, or does not report." },
    zh: { subject: "DNS 节点 {name} 离线", body: "DNS 节点 {name} 未连接，或没有上报状态。" },
  },
});

export const cameBack = defineEvent({
  name: "ns_node.came_back",
  level: "success",
  data: NSNodeCameBackSchema,
  about: "nsNodeId",
  modules: ["ns"],
  texts: {
    en: { subject: "DNS node {name} is back", body: "The DNS node {name} is connected or reports again." },
    zh: { subject: "DNS 节点 {name} 恢复在线", body: "DNS 节点 {name} 已重新连接或上报状态。" },
  },
});

export const EVENTS = [wentOffline, cameBack];
