import { defineErrors } from "edgehelm";

export const errors = defineErrors("installation", {
  backups_not_configured: [
    "conflict",
    () => 'the installation manifest has no "backup": set it and restart the server to make backups',
  ],
  backup_busy: ["conflict", () => "a backup is being made or checked: wait for its end"],
});
