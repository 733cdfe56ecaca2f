import { expect, test } from "vitest";
import { COMMON_MODULE } from "../../core/base/modules.ts";
import { modulesOf, rolesOf } from "../../core/calls/operation.ts";
import { firstParty } from "../matrix/plugins.ts";
import { generatedServices } from "./generated.ts";

/** The operations of this repository that only super admins may call. An rpc without modules must be named here. */
const SUPER_ONLY = [
  "AdminService.createAdmin",
  "AdminService.createOrUpdateAdmin",
  "AdminService.deleteAdmin",
  "AdminService.updateAdmin",
  "ConsoleSessionService.countConsoleSessions",
  "ConsoleSessionService.deleteConsoleSession",
  "ConsoleSessionService.findConsoleSession",
  "ConsoleSessionService.listConsoleSessions",
  "InstallationService.checkInstallationBackup",
  "InstallationService.checkInstallationHealth",
  "InstallationService.findAllInstallationBackups",
  "InstallationService.findAllInstallationJobs",
  "InstallationService.findAllInstallationPlugins",
  "InstallationService.findInstallation",
  "InstallationService.findInstallationAudit",
  "InstallationService.findInstallationAuditRecords",
  "InstallationService.findInstallationPluginSettings",
  "InstallationService.makeInstallationBackup",
  "InstallationService.runInstallationJob",
  "InstallationService.verifyInstallationAudit",
  "LogService.cleanLogsPermanently",
  "LogService.deleteLogPermanently",
  "LogService.deleteLogsPermanently",
  "LoginService.findEnabledLogin",
  "LoginService.updateLogin",
  "MessageMediaInstanceService.findMessageMediaInstanceSecrets",
  "NodeInstallationService.createNodePackage",
  "NodeInstallationService.deleteNodePackage",
];

/** The operations that every admin may call: their own profile, keys, messages and log, and greetings. */
const FOR_EVERY_ADMIN = [
  "AdminService.checkAdminUsername",
  "AdminService.findAdminFullname",
  "AdminService.findEnabledAdmin",
  "AdminService.updateAdminInfo",
  "AdminService.updateAdminLang",
  "AdminService.updateAdminLogin",
  "AdminService.updateAdminTheme",
  "HelloWorldService.SayHello",
  "LogService.createLog",
  "MessageService.countUnreadMessages",
  "MessageService.listUnreadMessages",
  "MessageService.updateAllMessagesRead",
  "MessageService.updateMessageRead",
  "MessageService.updateMessagesRead",
  "UserAccessKeyService.countAllEnabledUserAccessKeys",
  "UserAccessKeyService.createUserAccessKey",
  "UserAccessKeyService.deleteUserAccessKey",
  "UserAccessKeyService.findAllEnabledUserAccessKeys",
  "UserAccessKeyService.updateUserAccessKeyIsOn",
];

const services = new Set(firstParty.flatMap(({ manifest }) => manifest.services));
const methods = (await generatedServices()).filter(({ name }) => services.has(name)).flatMap((service) =>
  service.methods
);
const names = (chosen: typeof methods) => chosen.map((method) => `${method.parent.name}.${method.name}`).sort();
const forAdmins = methods.filter((method) => rolesOf(method).includes("admin"));

test("operations without modules, for super admins only, are named here", () => {
  expect(forAdmins.length).toBeGreaterThan(400);
  expect(names(forAdmins.filter((method) => modulesOf(method).length === 0))).toEqual(SUPER_ONLY);
});

test("operations for every admin are named here", () => {
  expect(names(forAdmins.filter((method) => modulesOf(method).includes(COMMON_MODULE)))).toEqual(FOR_EVERY_ADMIN);
});

test("plugins declare the modules that their operations list, and the plugin admin names all of them", () => {
  const named = firstParty.find(({ manifest }) => manifest.name === "admin")!.manifest.modules!;
  expect(named.filter(({ name }) => name === undefined)).toEqual([]);
  for (const { manifest: { name, services, modules = [] } } of firstParty) {
    if (name === "admin") continue;
    const own = methods.filter((method) => services.includes(method.parent.name));
    const used = new Set(own.flatMap(modulesOf).filter((module) => module !== COMMON_MODULE));
    expect(modules.map(({ code }) => code).sort(), name).toEqual([...used].sort());
    expect(modules.filter(({ code }) => !named.some((module) => module.code === code)), name).toEqual([]);
  }
});
