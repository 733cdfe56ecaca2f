import {
  AuditBreakSchema,
  BackupAgeSchema,
  BackupCheckSchema,
  DiskSpaceSchema,
  EventDelaySchema,
  JobDelaySchema,
  JobFailuresSchema,
  OwnCertificateSchema,
  PluginFailureSchema,
} from "../../../proto/alarms_pb.ts";
import { type Alarm, defineAlarm } from "../../events/alarm.ts";
import type { EventTexts } from "../../events/event_kind.ts";

export const backupAge = defineAlarm({
  name: "backup_age",
  data: BackupAgeSchema,
  about: "place",
  began: {
    name: "kernel.backup_became_old",
    level: "error",
    texts: texts(
      "The newest backup is too old",
      "No backup was made in {place} within {maxAgeHours} hours. The newest one is of {madeAt}.",
      "最新备份过旧",
      "{place} 在 {maxAgeHours} 小时内没有新的备份。最新备份的时间为 {madeAt}。",
    ),
  },
  ended: {
    name: "kernel.backup_became_recent",
    texts: texts(
      "The newest backup is recent again",
      "There is a new backup in {place}. It had been too old since {beganAt}.",
      "备份恢复正常",
      "{place} 中已有新的备份。备份自 {beganAt} 起过旧。",
    ),
  },
});

export const backupCheck = defineAlarm({
  name: "backup_check",
  data: BackupCheckSchema,
  about: "backup",
  began: {
    name: "kernel.backup_check_failed",
    level: "error",
    texts: texts(
      "A backup cannot be restored",
      "The check of the backup {backup} at {checkedAt} failed. The log and the page of backups say why.",
      "备份无法恢复",
      "备份 {backup} 在 {checkedAt} 的检查失败。原因见日志和备份页面。",
    ),
  },
  ended: {
    name: "kernel.backup_check_passed",
    texts: texts(
      "Backups can be restored again",
      "The last check of a backup passed. Checks had failed since {beganAt}.",
      "备份检查恢复正常",
      "最近一次备份检查已通过。检查自 {beganAt} 起失败。",
    ),
  },
});

export const auditBreak = defineAlarm({
  name: "audit_break",
  data: AuditBreakSchema,
  about: "verifiedAt",
  began: {
    name: "kernel.audit_broke",
    level: "error",
    texts: texts(
      "The audit log is not whole",
      "The verification at {verifiedAt} found {errors} errors. The command audit verify names the records.",
      "审计日志不完整",
      "{verifiedAt} 的校验发现 {errors} 个错误。命令 audit verify 会指明相关记录。",
    ),
  },
  ended: {
    name: "kernel.audit_became_whole",
    texts: texts(
      "The audit log is whole again",
      "The last verification of the audit log found no error. It had not been whole since {beganAt}.",
      "审计日志恢复完整",
      "最近一次审计日志校验未发现错误。日志自 {beganAt} 起不完整。",
    ),
  },
});

export const diskSpace = defineAlarm({
  name: "disk_space",
  isOfMachine: true,
  data: DiskSpaceSchema,
  about: "machine",
  began: {
    name: "kernel.disk_filled_up",
    level: "error",
    texts: texts(
      "The disk of {machine} is nearly full",
      "{freeBytes} of {totalBytes} are left for {directory}. When nothing is left, every write is refused.",
      "{machine} 的磁盘即将写满",
      "{directory} 只剩 {freeBytes}，总容量 {totalBytes}。写满后所有写入都会被拒绝。",
    ),
  },
  ended: {
    name: "kernel.disk_freed",
    texts: texts(
      "The disk of {machine} has space again",
      "There is enough space for {directory} again. It had been scarce since {beganAt}.",
      "{machine} 的磁盘空间恢复正常",
      "{directory} 的空间已恢复充足。空间自 {beganAt} 起不足。",
    ),
  },
});

export const ownCertificate = defineAlarm({
  name: "own_certificate",
  isOfMachine: true,
  data: OwnCertificateSchema,
  about: "fingerprint",
  began: {
    name: "kernel.own_certificate_aged",
    level: "error",
    texts: texts(
      "The certificate of the server expires at {expiresAt}",
      "Replace {file} on {machine}, and its key, then send SIGHUP to the server.",
      "服务器证书将于 {expiresAt} 到期",
      "请替换 {machine} 上的 {file} 及其私钥，然后向服务器发送 SIGHUP。",
    ),
  },
  ended: {
    name: "kernel.own_certificate_replaced",
    texts: texts(
      "The certificate of the server was replaced",
      "The certificate that expires at {expiresAt} is no longer in use.",
      "服务器证书已替换",
      "将于 {expiresAt} 到期的证书已不再使用。",
    ),
  },
});

export const jobFailures = defineAlarm({
  name: "job_failures",
  data: JobFailuresSchema,
  about: "job",
  began: {
    name: "kernel.job_failed_repeatedly",
    level: "error",
    texts: texts(
      "The job {job} fails",
      "{failures} runs in a row failed, the last one at {endedAt}. The page of jobs and the log say why.",
      "任务 {job} 失败",
      "连续 {failures} 次运行失败，最近一次在 {endedAt}。原因见任务页面和日志。",
    ),
  },
  ended: {
    name: "kernel.job_recovered",
    texts: texts(
      "The job {job} succeeds again",
      "The job {job} had failed since {beganAt}.",
      "任务 {job} 恢复正常",
      "任务 {job} 自 {beganAt} 起失败。",
    ),
  },
});

export const jobDelay = defineAlarm({
  name: "job_delay",
  data: JobDelaySchema,
  about: "job",
  began: {
    name: "kernel.job_got_stuck",
    level: "error",
    texts: texts(
      "The job {job} is stuck",
      "It should have begun at {dueAt}. Its last run does not end, or no instance runs it.",
      "任务 {job} 停滞",
      "它本应在 {dueAt} 开始。上一次运行没有结束，或没有实例运行它。",
    ),
  },
  ended: {
    name: "kernel.job_resumed",
    texts: texts(
      "The job {job} runs again",
      "The job {job} had been stuck since {beganAt}.",
      "任务 {job} 恢复运行",
      "任务 {job} 自 {beganAt} 起停滞。",
    ),
  },
});

export const eventDelay = defineAlarm({
  name: "event_delay",
  data: EventDelaySchema,
  about: "listener",
  began: {
    name: "kernel.events_got_stuck",
    level: "error",
    texts: texts(
      "Events do not reach {listener}",
      "The listener {listener} has not had an event since {waitingSince}. The log says why.",
      "事件无法送达 {listener}",
      "监听器 {listener} 自 {waitingSince} 起未收到事件。原因见日志。",
    ),
  },
  ended: {
    name: "kernel.events_resumed",
    texts: texts(
      "Events reach {listener} again",
      "Events for the listener {listener} had been waiting since {waitingSince}.",
      "事件恢复送达 {listener}",
      "监听器 {listener} 的事件自 {waitingSince} 起一直在等待。",
    ),
  },
});

export const pluginFailure = defineAlarm({
  name: "plugin_failure",
  isOfMachine: true,
  data: PluginFailureSchema,
  about: "plugin",
  began: {
    name: "kernel.plugin_failed",
    level: "error",
    texts: texts(
      "The plugin {plugin} does not run",
      "It failed on {machine}, or needs a plugin that failed. The page of health and the log say why.",
      "插件 {plugin} 未运行",
      "它在 {machine} 上启动失败，或所需的插件启动失败。原因见健康页面和日志。",
    ),
  },
  ended: {
    name: "kernel.plugin_recovered",
    texts: texts(
      "The plugin {plugin} runs again",
      "The plugin {plugin} had not run since {beganAt}.",
      "插件 {plugin} 恢复运行",
      "插件 {plugin} 自 {beganAt} 起未运行。",
    ),
  },
});

/** All alarms, which the kernel declares also for those parts of a host that look for them. */
export const KERNEL_ALARMS = [
  ...[backupAge, backupCheck, auditBreak, diskSpace, ownCertificate],
  ...[jobFailures, jobDelay, eventDelay, pluginFailure],
] as unknown as readonly Alarm[];

function texts(subject: string, body: string, subjectZh: string, bodyZh: string): EventTexts {
  return { en: { subject, body }, zh: { subject: subjectZh, body: bodyZh } };
}
