import { defineEvent } from "edgehelm/runtime";
import { ServerAttackedSchema } from "./proto/events_pb.ts";

export const attacked = defineEvent({
  name: "server_daily_stat.attacked",
  level: "warning",
  data: ServerAttackedSchema,
  about: "serverId",
  isForOwner: true,
  modules: ["server"],
  texts: {
    en: {
      subject: "The site {name} is under attack",
      body:
        "Firewall rules classified {countAttackRequests} requests of the site {name} as attacks within five minutes.",
    },
    zh: {
      subject: "网站 {name} 正受到攻击",
      body: "防火墙规则在五分钟内将网站 {name} 的 {countAttackRequests} 个请求判定为攻击。",
    },
  },
});

export const EVENTS = [attacked];
