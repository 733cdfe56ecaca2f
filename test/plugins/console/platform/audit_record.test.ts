import { expect, test } from "vitest";
import { auditRecord } from "../../../../plugins/console/app/shell/audit_record.ts";

test("a change is recorded with its place, ids and names, and without other values", () => {
  const request = { adminId: 5n, userId: 0n, username: "ada", password: "hunter2", isOn: true, size: 20n };
  expect(auditRecord("/AdminService/updateAdmin", false, request, "#/admins/5?keyword=secret")).toEqual({
    description: 'AdminService/updateAdmin adminId 5 "ada"',
    action: "#/admins/5",
  });
});

test.each([
  ["/NSDomainService/findNSDomain", true],
  ["/InstallationService/checkInstallationHealth", false],
  ["/NSZoneFileService/exportNSZoneFile", false],
  ["/LogService/createLog", false],
])("%s changes nothing that people want to know", (path, isRead) => {
  expect(auditRecord(path, isRead, {}, "")).toBeUndefined();
});
