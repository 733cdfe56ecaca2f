import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll } from "vitest";
import plugin from "../../../plugins/admin/plugin.ts";
import { AdminService } from "../../../plugins/admin/proto/service_admin_pb.ts";

const { createAdmin } = AdminService.method;
export const root = as.admin();
export const PASSWORD = "correct horse battery";

export let edgehelm: TestKernel;

/** Opens the kernel before the tests of a file, and closes it after them. */
export function useKernel(): void {
  beforeAll(async () => {
    edgehelm = await testKernel({ plugins: [plugin] });
  });
  afterAll(() => edgehelm[Symbol.asyncDispose]());
}

let created = 0;
export async function newAdmin(fields: Partial<Parameters<typeof create>[0]> = {}) {
  return await create({
    username: `admin${++created}`,
    password: PASSWORD,
    fullname: "An Admin",
    canLogin: true,
    ...fields,
  });
}
async function create(fields: {
  username: string;
  password: string;
  fullname: string;
  canLogin?: boolean;
  isSuper?: boolean;
  modulesJSON?: Uint8Array;
}) {
  const { adminId } = await edgehelm.call(root, createAdmin, fields);
  return { adminId, ...fields };
}
