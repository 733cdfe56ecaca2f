import { textTable } from "../../../texts/table.ts";

/** The texts of what needs the attention of operators. */
export const texts = textTable({
  en: {
    attention: "Needs attention",
    allWell: "Nothing needs attention.",
    nodesDown: { one: "{n} installed DNS node is down", other: "{n} installed DNS nodes are down" },
    notInstalled: { one: "{n} DNS node is not installed yet", other: "{n} DNS nodes are not installed yet" },
    openNodes: "Open nodes",
    unverified: { one: "{n} domain is not verified", other: "{n} domains are not verified" },
    openDomains: "Open domains",
    expired: { one: "{n} certificate has expired", other: "{n} certificates have expired" },
    expiring: { one: "{n} certificate expires within 30 days", other: "{n} certificates expire within 30 days" },
    renew: "Renew",
    bills: { one: "{n} bill is not paid", other: "{n} bills are not paid" },
    openBills: "Open bills",
  },
  zh: {
    attention: "需要处理",
    allWell: "没有需要处理的事项。",
    nodesDown: { one: "{n} 个已安装的 DNS 节点离线", other: "{n} 个已安装的 DNS 节点离线" },
    notInstalled: { one: "{n} 个 DNS 节点尚未安装", other: "{n} 个 DNS 节点尚未安装" },
    openNodes: "打开节点",
    unverified: { one: "{n} 个域名未验证", other: "{n} 个域名未验证" },
    openDomains: "打开域名",
    expired: { one: "{n} 张证书已过期", other: "{n} 张证书已过期" },
    expiring: { one: "{n} 张证书将在 30 天内过期", other: "{n} 张证书将在 30 天内过期" },
    renew: "续期",
    bills: { one: "{n} 张账单未支付", other: "{n} 张账单未支付" },
    openBills: "打开账单",
  },
});
