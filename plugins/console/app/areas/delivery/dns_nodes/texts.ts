import { textTable } from "../../../texts/table.ts";

/** The texts of the nodes of a DNS cluster. */
export const texts = textTable({
  en: {
    add: "Add node",
    empty: "The cluster has no nodes yet. Add one, and install the node program on its machine.",
    title: "DNS nodes",
    all: "All nodes",
    cluster: "Cluster",
    name: "Name",
    state: "State",
    seen: "Last report",
    version: "Version",
    never: "never",
    off: "off",
    notInstalled: "not installed",
    down: "down",
    silent: "not connected",
    up: "connected",
  },
  zh: {
    add: "添加节点",
    empty: "该集群还没有节点。请添加节点，并在其服务器上安装节点程序。",
    title: "DNS 节点",
    all: "全部节点",
    cluster: "集群",
    name: "名称",
    state: "状态",
    seen: "最近上报",
    version: "版本",
    never: "从未",
    off: "停用",
    notInstalled: "未安装",
    down: "故障",
    silent: "未连接",
    up: "已连接",
  },
});
