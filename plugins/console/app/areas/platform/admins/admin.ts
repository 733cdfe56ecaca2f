import { parsed } from "../../../parts/json/value.ts";
import { callPath } from "../../../shell/call.ts";
import { mayCall } from "../../../shell/state.ts";

export const CREATE = "AdminService/createAdmin";
export const UPDATE = "AdminService/updateAdmin";
export const REMOVE = "AdminService/deleteAdmin";
const MODULES = "AdminService/findAllAdminModules";

/** A module that an admin has, as consoles store it. */
interface OwnModule {
  readonly code: string;
  readonly allowAll: boolean;
  readonly actions: readonly string[];
}

export interface Admin {
  readonly id: bigint;
  readonly username: string;
  readonly fullname: string;
  readonly isOn: boolean;
  readonly isSuper: boolean;
  readonly canLogin: boolean;
  readonly hasWeakPassword: boolean;
  readonly createdAt: bigint;
  readonly otpLogin?: { readonly isOn: boolean };
  readonly Modules: readonly OwnModule[];
}

/** A module that admins can be given. */
export interface Module {
  readonly code: string;
  readonly name: string;
}

/** The values of the form of an admin. */
export interface AdminDraft {
  readonly username: string;
  readonly password: string;
  readonly fullname: string;
  readonly isOn: boolean;
  readonly canLogin: boolean;
  readonly isSuper: boolean;
  readonly modules: readonly string[];
}

export async function findAdmin(id: bigint, signal?: AbortSignal): Promise<Admin | undefined> {
  return (await callPath("AdminService/findEnabledAdmin", { adminId: id }, signal))["admin"] as Admin | undefined;
}

/** Loads the modules that the enabled plugins declare; every admin has `common`. */
export async function loadModules(signal?: AbortSignal): Promise<readonly Module[]> {
  if (!mayCall(MODULES)) return [];
  const { installedJSON } = await callPath(MODULES, { withInstalled: true }, signal);
  const found = parsed(new TextDecoder().decode(installedJSON as Uint8Array)) as unknown as readonly Module[];
  return found.filter(({ code }) => code !== "common");
}

export function draftOf(admin: Admin | undefined): AdminDraft {
  return {
    username: admin?.username ?? "",
    password: "",
    fullname: admin?.fullname ?? "",
    isOn: admin?.isOn ?? true,
    canLogin: admin?.canLogin ?? true,
    isSuper: admin?.isSuper ?? false,
    modules: admin?.Modules.map(({ code }) => code) ?? [],
  };
}

/** Creates an admin, or changes one. Returns the id. */
export async function saveAdmin(admin: Admin | undefined, draft: AdminDraft): Promise<bigint> {
  const { modules, isOn, ...fields } = draft;
  const kept = new Map(admin?.Modules.map((own) => [own.code, own]));
  const list = modules.map((code) => {
    const own = kept.get(code);
    return { code, allowAll: own?.allowAll ?? true, actions: own?.actions ?? [] };
  });
  const request = { ...fields, modulesJSON: new TextEncoder().encode(JSON.stringify(list)) };
  if (admin === undefined) return (await callPath(CREATE, request))["adminId"] as bigint;
  await callPath(UPDATE, { ...request, adminId: admin.id, isOn });
  return admin.id;
}
