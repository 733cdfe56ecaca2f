import { defineEvent } from "edgehelm/runtime";
import { NodeCameBackSchema, NodeWentOfflineSchema } from "./proto/events_pb.ts";

export const wentOffline = defineEvent({
  name: "node.went_offline",
  level: "error",
  data: NodeWentOfflineSchema,
  about: "nodeId",
  modules: ["node"],
  texts: {
    en: { subject: "Node {name} is offline", body: "The node {name} has not reported since {reportedAt}." },
    zh: { subject: "节点 {name} 离线", body: "节点 {name} 自 {reportedAt} 起没有上报状态。" },
  },
});

export const cameBack = defineEvent({
  name: "node.came_back",
  level: "success",
  data: NodeCameBackSchema,
  about: "nodeId",
  modules: ["node"],
  texts: {
    en: { subject: "Node {name} is back", body: "The node {name} reports again." },
    zh: { subject: "节点 {name} 恢复在线", body: "节点 {name} 已重新上报状态。" },
  },
});

export const EVENTS = [wentOffline, cameBack];
