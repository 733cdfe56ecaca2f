import type { Area } from "../../shell/area.ts";
import { mayCall, session } from "../../shell/state.ts";

/** The lists of the tabs of messages. */
const MESSAGE_LISTS = [
  "MessageTaskService/listMessageTasksWithStatus",
  "MessageTaskLogService/listMessageTaskLogs",
  "MessageReceiverService/findAllEnabledMessageReceivers",
  "MessageRecipientService/listEnabledMessageRecipients",
  "MessageRecipientGroupService/findAllEnabledMessageRecipientGroups",
  "MessageMediaInstanceService/listEnabledMessageMediaInstances",
];

/** The history of the installation, and what runs in it. */
export const platform: Area = {
  pages: [
    {
      key: "audit",
      title: { en: "Audit", zh: "审计日志" },
      group: "log",
      replaces: ["Log"],
      isOffered: () => mayCall("LogService/listLogs"),
      load: () => import("./audit/page.tsx"),
    },
    {
      key: "access-logs",
      title: { en: "Access logs", zh: "访问日志" },
      group: "log",
      replaces: ["HTTPAccessLog"],
      isOffered: () => mayCall("HTTPAccessLogService/listHTTPAccessLogs"),
      load: () => import("./access_logs/page.tsx"),
    },
    {
      key: "admins",
      title: { en: "Admins", zh: "管理员" },
      group: "admin",
      replaces: ["Admin"],
      creates: "Admin",
      isOffered: () => mayCall("AdminService/listEnabledAdmins"),
      load: () => import("./admins/page.tsx"),
    },
    {
      key: "profile",
      title: { en: "My profile", zh: "我的资料" },
      group: "admin",
      isOffered: () => session.value?.type === "admin" && mayCall("AdminService/updateAdminInfo"),
      load: () => import("./admins/profile.tsx"),
    },
    {
      key: "notices",
      title: { en: "Notices", zh: "通知" },
      group: "setting",
      replaces: ["Message"],
      isOffered: () => mayCall("MessageService/listUnreadMessages"),
      load: () => import("./notices/page.tsx"),
    },
    {
      key: "health",
      title: { en: "Health", zh: "运行状况" },
      group: "setting",
      isOffered: () => mayCall("InstallationService/checkInstallationHealth"),
      load: () => import("./health/page.tsx"),
    },
    {
      key: "jobs",
      title: { en: "Jobs", zh: "任务" },
      group: "setting",
      isOffered: () => mayCall("InstallationService/findAllInstallationJobs"),
      load: () => import("./jobs/page.tsx"),
    },
    {
      key: "backups",
      title: { en: "Backups", zh: "备份" },
      group: "setting",
      isOffered: () => mayCall("InstallationService/findAllInstallationBackups"),
      load: () => import("./backups/page.tsx"),
    },
    {
      key: "plugins",
      title: { en: "Plugins", zh: "插件" },
      group: "setting",
      isOffered: () => mayCall("InstallationService/findAllInstallationPlugins"),
      load: () => import("./plugins/page.tsx"),
    },
    {
      key: "messages",
      title: { en: "Messages", zh: "消息" },
      group: "setting",
      replaces: [
        ...["MessageTask", "MessageTaskLog", "MessageReceiver", "MessageRecipient", "MessageRecipientGroup"],
        ...["MessageMediaInstance", "MessageMedia"],
      ],
      isOffered: () => MESSAGE_LISTS.some((list) => mayCall(list)),
      load: () => import("./messages/page.tsx"),
    },
    {
      key: "settings",
      title: { en: "Settings", zh: "设置" },
      group: "setting",
      isOffered: () =>
        mayCall("InstallationService/findInstallationPluginSettings") ||
        mayCall("ReportNodeService/updateReportNodeGlobalSetting"),
      load: () => import("./settings/page.tsx"),
    },
  ],
};
