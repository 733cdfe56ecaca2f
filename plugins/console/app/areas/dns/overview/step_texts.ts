import { textTable } from "../../../texts/table.ts";

/** The texts of the first steps of an operator. */
export const stepTexts = textTable({
  en: {
    title: "First steps",
    done: "Done",
    cluster: {
      title: "Add a DNS cluster",
      help: "A cluster is a group of nodes that serve the same domains.",
      action: "Add cluster",
    },
    node: {
      title: "Add a DNS node",
      help:
        "A node is a server that answers DNS queries. Its key and secret let it fetch domains and records from here.",
      action: "Add node",
    },
    domain: {
      title: "Add a domain",
      help: "The nodes of its cluster serve it. A domain without a user needs no verification.",
      action: "Add domain",
    },
    record: {
      title: "Add records",
      help: "Records are edited in a table on the page of the domain, or imported from a zone file.",
      action: "Open records",
    },
  },
  zh: {
    title: "开始使用",
    done: "已完成",
    cluster: { title: "添加 DNS 集群", help: "集群是一组服务相同域名的节点。", action: "添加集群" },
    node: {
      title: "添加 DNS 节点",
      help: "节点是响应 DNS 查询的服务器，凭其密钥从这里获取域名和记录。",
      action: "添加节点",
    },
    domain: { title: "添加域名", help: "域名由所属集群的节点提供服务；不属于用户的域名无需验证。", action: "添加域名" },
    record: { title: "添加记录", help: "在域名页面的表格中编辑记录，或从区域文件导入。", action: "打开记录" },
  },
});
