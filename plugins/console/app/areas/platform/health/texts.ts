import { textTable } from "../../../texts/table.ts";

export const texts = textTable({
  en: {
    title: "Health",
    again: "Check again",
    states: { ok: "Everything works", warn: "Needs attention", bad: "Does not work" },
    parts: {
      database: "Database",
      jobs: "Jobs",
      instances: "Instances",
      plugins: "Plugins",
      backups: "Backups",
      audit: "Audit log",
    },
    toJob: "Show job",
    toBackups: "Show backups",
    audit: {
      title: "Audit log",
      states: { never: "not yet verified", ok: "whole", broken: "not whole" },
      verified: "Last verified",
      records: "Records",
      verify: "Verify now",
      show: "Show records",
      results: {
        ok: "The verification has ended.",
        failed: "The verification failed: {error}",
        running: "The verification takes longer, and goes on.",
        elsewhere: "Another instance verifies it within a minute.",
      },
    },
    installation: "Installation",
    version: "Version",
    kernelVersion: "Interface for plugins",
    timeZone: "Time zone",
    calls: "Calls at this moment",
    instances: "Instances",
    noInstances: "Only workers serve this installation. They come and go, and are not listed.",
    instance: "Instance",
    runtime: "Runtime",
    started: "Started",
    thisOne: "(responds now)",
    findings: {
      database_ok: { what: "The database can be read and written.", advice: "" },
      database_unavailable: {
        what: "The database cannot be read and written, so the installation cannot serve calls.",
        advice:
          "Check the disk space of the database, or the connection to its server. The log of the server has the " +
          "cause.",
      },
      jobs_ok: { what: "All background jobs run without errors.", advice: "" },
      job_failed: {
        what: "The job {subject} failed.",
        advice: "Mend the cause, then run the job. It also runs again by itself.",
      },
      job_late: {
        what: "The job {subject} is due, but no instance runs it.",
        advice: "Check that an instance runs, or on workers that the schedule triggers jobs.",
      },
      instances_ok: { what: "All instances run the same version.", advice: "" },
      versions_differ: {
        what: "The instances run different versions: {subject}.",
        advice: "Finish the update: restart the instances that run the older version.",
      },
      plugins_ok: { what: "All enabled plugins run.", advice: "" },
      plugin_failed: {
        what: "The plugin {subject} does not run.",
        advice:
          "Its operations respond with 503, and deletions that it guards are refused. Mend the cause, then restart.",
      },
      backups_ok: { what: "Backups are made and checked as they are set.", advice: "" },
      backups_none: { what: "The installation manifest has no backups.", advice: "" },
      backups_degraded: {
        what: "Backups need attention.",
        advice:
          "Check the place of the backups and the jobs kernel.backup and kernel.check_backup, or make a backup now.",
      },
      audit_ok: { what: "The audit log is whole.", advice: "" },
      audit_broken: {
        what: "The audit log is not whole: records were changed or deleted outside of the installation.",
        advice: "Find out who changed the database. Compare the audit log with a backup and with the heads in the log.",
      },
    },
  },
  zh: {
    title: "运行状况",
    again: "重新检查",
    states: { ok: "一切正常", warn: "需要关注", bad: "无法工作" },
    parts: { database: "数据库", jobs: "任务", instances: "实例", plugins: "插件", backups: "备份", audit: "审计日志" },
    toJob: "查看任务",
    toBackups: "查看备份",
    audit: {
      title: "审计日志",
      states: { never: "尚未验证", ok: "完整", broken: "不完整" },
      verified: "上次验证",
      records: "记录",
      verify: "立即验证",
      show: "查看记录",
      results: {
        ok: "验证已结束。",
        failed: "验证失败：{error}",
        running: "验证耗时较长，仍在继续。",
        elsewhere: "将由其他实例在一分钟内验证。",
      },
    },
    installation: "安装信息",
    version: "版本",
    kernelVersion: "插件接口版本",
    timeZone: "时区",
    calls: "当前调用数",
    instances: "实例",
    noInstances: "此安装仅由 Worker 提供服务。它们随时启停，不在此列出。",
    instance: "实例",
    runtime: "运行环境",
    started: "启动时间",
    thisOne: "（当前响应）",
    findings: {
      database_ok: { what: "数据库读写正常。", advice: "" },
      database_unavailable: {
        what: "数据库无法读写，因此无法提供服务。",
        advice: "请检查数据库的磁盘空间，或与数据库服务器的连接。服务器日志中有具体原因。",
      },
      jobs_ok: { what: "所有后台任务运行正常。", advice: "" },
      job_failed: { what: "任务 {subject} 失败。", advice: "请排除原因后再次运行该任务。它也会自动重试。" },
      job_late: {
        what: "任务 {subject} 已到期，但没有实例运行它。",
        advice: "请确认有实例在运行；在 Worker 上，请确认定时触发已配置。",
      },
      instances_ok: { what: "所有实例运行相同版本。", advice: "" },
      versions_differ: { what: "各实例运行的版本不同：{subject}。", advice: "请完成更新：重启仍运行旧版本的实例。" },
      plugins_ok: { what: "所有启用的插件都在运行。", advice: "" },
      plugin_failed: {
        what: "插件 {subject} 未运行。",
        advice: "它的操作返回 503，由它把关的删除会被拒绝。请排除原因，然后重启。",
      },
      backups_ok: { what: "备份按设置制作和检查。", advice: "" },
      backups_none: { what: "安装清单中没有配置备份。", advice: "" },
      backups_degraded: {
        what: "备份需要关注。",
        advice: "请检查备份的存放位置以及任务 kernel.backup 和 kernel.check_backup，或立即制作备份。",
      },
      audit_ok: { what: "审计日志完整。", advice: "" },
      audit_broken: {
        what: "审计日志不完整：有记录在系统之外被更改或删除。",
        advice: "请查明谁更改了数据库，并将审计日志与备份及日志中的链头进行比较。",
      },
    },
  },
});
