import { as, testKernel } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { AdminService } from "../../../plugins/admin/proto/service_admin_pb.ts";
import { APIAccessTokenService } from "../../../plugins/api_access_token/proto/service_api_access_token_pb.ts";
import { plugins } from "./rig.ts";

const { createAdmin, updateAdmin } = AdminService.method;
const { getAPIAccessToken } = APIAccessTokenService.method;

describe("the first start", () => {
  test("creates an admin and prints a valid key, once", async () => {
    await using first = await testKernel({ plugins });
    const [, idLine, secretLine] = first.kernel.notices;
    const credential = { type: "admin", accessKeyId: lastWord(idLine), accessKey: lastWord(secretLine) };
    expect((await first.call(as.anonymous(), getAPIAccessToken, credential)).token).not.toBe("");
    expect(first.kernel.notices.at(-1)).toContain("getAPIAccessToken");
    expect(first.kernel.notices.at(-1)).toContain(JSON.stringify(credential));
    await first.stop();
    const second = await testKernel({ plugins, directory: first.directory });
    expect(second.kernel.notices).toEqual([]);
    await second.stop();
  });

  test("the command create creates an admin with a valid key, and refuses an existing username", async () => {
    await using kernel = await testKernel({ plugins });
    const create = kernel.kernel.commands.find(({ name }) => name === "admin create")!;
    const lines = await create.run(kernel.kernel.systemCall("test"), ["second"]);
    const credential = { type: "admin", accessKeyId: lastWord(lines[1]), accessKey: lastWord(lines[2]) };
    expect((await kernel.call(as.anonymous(), getAPIAccessToken, credential)).token).not.toBe("");
    await expect(create.run(kernel.kernel.systemCall("test"), ["SECOND"]))
      .rejects.toMatchObject({ reason: "admin.username_taken" });
  });

  test("the command reset turns the existing keys off and creates a new one", async () => {
    await using kernel = await testKernel({ plugins });
    const [, idLine, secretLine] = kernel.kernel.notices;
    const old = { type: "admin", accessKeyId: lastWord(idLine), accessKey: lastWord(secretLine) };
    const reset = kernel.kernel.commands.find(({ name }) => name === "admin reset")!;
    const lines = await reset.run(kernel.kernel.systemCall("test"), ["admin"]);
    await expect(kernel.call(as.anonymous(), getAPIAccessToken, old)).rejects.toMatchObject({ code: 401 });
    const credential = { type: "admin", accessKeyId: lastWord(lines[1]), accessKey: lastWord(lines[2]) };
    expect((await kernel.call(as.anonymous(), getAPIAccessToken, credential)).token).not.toBe("");
  });

  test("the command reset lets an admin log in who was turned off and kept from logging in", async () => {
    await using kernel = await testKernel({ plugins });
    const locked = { username: "locked", password: "correct horse battery", canLogin: true };
    const { adminId } = await kernel.call(as.admin(), createAdmin, locked);
    await kernel.call(as.admin(), updateAdmin, { adminId, username: "locked", isOn: false, canLogin: false });
    const reset = kernel.kernel.commands.find(({ name }) => name === "admin reset")!;
    const lines = await reset.run(kernel.kernel.systemCall("test"), ["locked"]);
    const credential = { type: "admin", accessKeyId: lastWord(lines[1]), accessKey: lastWord(lines[2]) };
    expect((await kernel.call(as.anonymous(), getAPIAccessToken, credential)).token).not.toBe("");
  });
});

function lastWord(line: string | undefined): string {
  return line!.trim().split(/\s+/).at(-1)!;
}
