import { chmod, mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CliRig, cliRig } from "../api_cli/rig.ts";

let rig: CliRig;
beforeAll(async () => {
  rig = await cliRig(["ns_cluster", "ns_domain", "user", "message_media", "message_media_instance"]);
  await rig.login();
});
afterAll(() => rig[Symbol.asyncDispose]());

/** Writes a file of a folder of the person and returns the path of the folder. */
async function folderWith(folder: string, file: string, content: string): Promise<string> {
  await mkdir(join(rig.home, folder), { recursive: true });
  await rig.file(join(folder, file), content);
  return join(rig.home, folder);
}

test("plan tells by its exit code, apply asks for consent, and export has the same in its files", async () => {
  const folder = await folderWith("clusters", "NSCluster.yaml", "- name: eu\n  hosts: [ns1.example.net]\n");
  expect(await rig.run("plan", folder)).toEqual({
    code: 8,
    output: '+ NSCluster "eu"\n1 to create, 0 to change, 0 to keep\n',
  });
  const refused = await rig.run("apply", folder);
  expect(refused.output).toContain("--yes applies without asking");
  expect(refused.code).toBe(2);
  expect(await rig.run("apply", folder, "--yes")).toMatchObject({ code: 0 });
  expect(await rig.run("plan", folder)).toEqual({ code: 0, output: "no changes\n" });
  const out = join(rig.home, "out");
  expect((await rig.run("export", out, "--kind", "NSCluster")).code).toBe(0);
  expect(await readFile(join(out, "NSCluster.yaml"), "utf8")).toMatch(
    /^- name: eu\n[^]* {2}hosts:\n {4}- ns1\.example\.net\n/,
  );
});

test("the error of an object names its file, and has the exit code of the error", async () => {
  const folder = await folderWith("bad", "NSDomain.yaml", "- name: no name\n  nsCluster: eu\n");
  await folderWith("bad", "NSCluster.yaml", "- name: eu\n");
  const { code, output } = await rig.run("apply", folder, "--yes");
  expect(output).toMatch(/NSDomain\.yaml:1: NSDomain "no name": .*\(kernel\.invalid_field\)/);
  expect(code).toBe(3);
});

test("secrets come from the environment or from a file that others cannot read", async () => {
  const folder = await folderWith(
    "media",
    "MessageMediaInstance.yaml",
    `- name: Mail
  mediaType: email
  params: { smtp: "smtp.example.com:587", username: ops, password: { secret: mail }, from: ops@example.com }
`,
  );
  const missing = await rig.run("apply", folder, "--yes");
  expect(missing.output).toContain('the secret "mail" is missing; set EDGEHELM_SECRET_MAIL, or add it to secrets.yaml');
  await folderWith("media", "secrets.yaml", "mail: correct horse\n");
  if (process.platform !== "win32") {
    await chmod(join(folder, "secrets.yaml"), 0o644);
    expect((await rig.run("apply", folder, "--yes")).output).toContain("chmod 600");
  }
  await chmod(join(folder, "secrets.yaml"), 0o600);
  expect(await rig.run("apply", folder, "--yes")).toMatchObject({ code: 0 });
  const out = join(rig.home, "secrets");
  expect((await rig.run("export", out, "--with-secrets")).code).toBe(0);
  expect(await readFile(join(out, "MessageMediaInstance.yaml"), "utf8")).not.toContain("correct horse");
  expect(await readFile(join(out, "secrets.yaml"), "utf8")).toContain("correct horse");
  expect((await stat(join(out, "secrets.yaml"))).mode & 0o777).toBe(process.platform === "win32" ? 0o666 : 0o600);
});

test("secrets that responses mask are kept, compared and exported", async () => {
  const file = (url: string) =>
    `- name: Hook
  mediaType: webHook
  params:
    url: ${url}
    headers:
      - { name: x-key, value: { secret: key } }
`;
  const folder = await folderWith("masked", "MessageMediaInstance.yaml", file("https://hook.example.com/1"));
  await folderWith("masked", "secrets.yaml", "key: first fish\n");
  await chmod(join(folder, "secrets.yaml"), 0o600);
  expect(await rig.run("apply", folder, "--yes")).toMatchObject({ code: 0 });
  // the same secret is no change, another one is
  expect(await rig.run("plan", folder)).toMatchObject({ code: 0 });
  await folderWith("masked", "secrets.yaml", "key: second fish\n");
  const { code, output } = await rig.run("plan", folder);
  expect(code).toBe(8);
  expect(output).not.toContain("fish");
  expect(await rig.run("apply", folder, "--yes")).toMatchObject({ code: 0 });
  // without its value, the stored one stays while other fields change
  await rm(join(folder, "secrets.yaml"));
  expect(await rig.run("plan", folder)).toMatchObject({ code: 0 });
  await folderWith("masked", "MessageMediaInstance.yaml", file("https://hook.example.com/2"));
  expect(await rig.run("apply", folder, "--yes")).toMatchObject({ code: 0 });
  const out = join(rig.home, "unmasked");
  const plain = await rig.run("export", out, "--kind", "MessageMediaInstance");
  expect(plain.output).toContain("secrets that are not in the files");
  const names = await readdir(out);
  expect(names).not.toContain("secrets.yaml");
  expect(await rig.run("export", out, "--kind", "MessageMediaInstance", "--with-secrets")).toMatchObject({ code: 0 });
  const [objects, secrets] = await Promise.all(
    ["MessageMediaInstance.yaml", "secrets.yaml"].map((name) => readFile(join(out, name), "utf8")),
  );
  expect(secrets).toContain("second fish");
  expect(secrets).not.toContain("******");
  expect(objects).toContain("hook.example.com/2");
  expect(objects).not.toMatch(/fish|\*{6}/);
});

test.each([
  [["plan"], "name one folder"],
  [["plan", "/no/such/folder"], '"/no/such/folder" does not exist'],
  [["export", "x", "--kind", "NoKind"], "--kind: must be one of "],
  [["apply", "x", "--force"], "--force"],
])("%j is refused: %s", async (args, text) => {
  const { code, output } = await rig.run(...args);
  expect(output).toContain(text);
  expect(code).toBe(2);
});
