// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/InstallationService/checkInstallationBackup": ["installation.backup_busy","installation.backups_not_configured","kernel.invalid_field","kernel.not_found"],
  "/InstallationService/checkInstallationHealth": [],
  "/InstallationService/findAllInstallationBackups": [],
  "/InstallationService/findAllInstallationJobs": [],
  "/InstallationService/findAllInstallationPlugins": [],
  "/InstallationService/findInstallation": [],
  "/InstallationService/findInstallationAudit": [],
  "/InstallationService/findInstallationAuditRecords": ["kernel.invalid_field"],
  "/InstallationService/findInstallationPluginSettings": ["kernel.invalid_field","kernel.not_found"],
  "/InstallationService/makeInstallationBackup": ["installation.backup_busy","installation.backups_not_configured"],
  "/InstallationService/runInstallationJob": ["kernel.invalid_field","kernel.not_found"],
  "/InstallationService/verifyInstallationAudit": [],
};
