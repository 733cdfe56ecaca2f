import { textTable } from "../../../texts/table.ts";

export const texts = textTable({
  en: {
    title: "Settings",
    forms: { reportNodes: "Report nodes" },
    saved: "Saved",
    configuration: "Configuration of the plugins",
    configurationHelp:
      "From the installation manifest, to read. Changes there take effect at the next start. Secrets are hidden.",
  },
  zh: {
    title: "设置",
    forms: { reportNodes: "监测节点" },
    saved: "已保存",
    configuration: "插件配置",
    configurationHelp: "来自安装清单，只读。修改清单后下次启动时生效。密钥等敏感内容已隐藏。",
  },
});
