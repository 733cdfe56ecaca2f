import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PASSPHRASE, PASSWORD, type Sshd, sshdRuns, startSshd } from "../../servers/sshd.ts";
import { Site } from "./rig.ts";

const NAME = "edge-dns";
const failed = (errorCode: string, error: string | RegExp) => ({
  state: "failed",
  errorCode,
  error: typeof error === "string" ? error : expect.stringMatching(error),
});

describe.skipIf(!sshdRuns())("a DNS node over SSH", () => {
  let sshd: Sshd;
  let site: Site;
  let root: string;
  let nsNodeId: number;
  beforeAll(async () => {
    sshd = await startSshd();
    site = await Site.open(`${sshd.folder}/apps`);
    root = `${sshd.folder}/apps/${NAME}`;
    nsNodeId = await site.dnsNode(sshd, await site.grant());
  });
  afterAll(async () => {
    await site?.[Symbol.asyncDispose]();
    await sshd?.[Symbol.asyncDispose]();
  });

  const releases = () => sshd.run(`ls -A ${root}/releases`).trim().split("\n").filter((name) => name !== "");
  const version = () => sshd.run(`cat ${root}/current/VERSION`);
  const isRunning = () => sshd.run(`kill -0 $(cat ${root}/run.pid) 2>/dev/null && echo yes || echo no`).trim();
  const staged = () => sshd.run(`ls -A ${sshd.home}/.edgehelm`).trim();

  test("is not installed without a package", async () => {
    expect(await site.install(nsNodeId)).toMatchObject(
      failed("INSTALL_HELPER_FAILED", "there is no package of edge-dns for linux amd64: upload one"),
    );
  });

  test("is installed, starts and connects to the API", async () => {
    await site.upload({ name: NAME, version: "1.0.0", padding: 1_500_000 });
    expect(await site.install(nsNodeId)).toMatchObject({ state: "done", version: "1.0.0" });
    const { steps } = await site.find("dns", nsNodeId);
    expect(steps.map(({ code }: { code: string }) => code).join(" "))
      .toBe("connect directory upload unpack configure test start");
    expect(sshd.run(`stat -c '%a %U' ${root}/current/configs/api.yaml`).trim()).toBe("600 root");
    await site.connected(nsNodeId, "1.0.0");
    const { nsNode } = await site.call("NSNodeService/findNSNode", { nsNodeId });
    expect(nsNode).toMatchObject({
      isInstalled: true,
      isActive: true,
      installStatus: { isFinished: true, isOk: true },
    });
    expect(staged()).toBe("");
  });

  test("is stopped and started", async () => {
    expect(await site.call("NSNodeService/stopNSNode", { nsNodeId })).toMatchObject({ isOk: true });
    expect(isRunning()).toBe("no");
    expect(await site.call("NSNodeService/startNSNode", { nsNodeId })).toMatchObject({ isOk: true });
    await site.connected(nsNodeId, "1.0.0");
  });

  test("is upgraded, and a package that does not run leaves the earlier one in place", async () => {
    await site.upload({ name: NAME, version: "1.1.0" });
    expect(await site.install(nsNodeId)).toMatchObject({ state: "done", version: "1.1.0" });
    await site.connected(nsNodeId, "1.1.0");
    expect(releases()).toHaveLength(1);
    const refused = await site.upload({ name: NAME, version: "1.2.0", test: "echo 'rpc: no route' >&2; exit 1" });
    expect(await site.install(nsNodeId)).toMatchObject(failed("RPC_TEST_FAILED", "rpc: no route"));
    await site.removePackage(refused);
    const broken = await site.upload({ name: NAME, version: "1.3.0", run: "echo 'port in use' >&2; exit 1" });
    expect(await site.install(nsNodeId)).toMatchObject(failed("TEST_FAILED", /port in use/));
    await site.removePackage(broken);
    expect([version(), releases().length, isRunning(), staged()]).toEqual(["1.1.0", 1, "yes", ""]);
    await site.connected(nsNodeId, "1.1.0");
  });

  test("is installed by one installation at a time, which can be cancelled", async () => {
    const slow = await site.upload({ name: NAME, version: "2.0.0", test: "sleep 5" });
    await site.call("NSNodeService/installNSNode", { nsNodeId });
    await expect(site.call("NSNodeService/installNSNode", { nsNodeId })).rejects.toThrow("is being installed");
    await site.reached("dns", nsNodeId, "test");
    await site.call("NodeInstallationService/cancelNodeInstallation", { role: "dns", nodeId: nsNodeId });
    expect(await site.ended("dns", nsNodeId)).toMatchObject({ state: "cancelled", error: "cancelled" });
    const { installStatus } = await site.call("NSNodeService/findNSNodeInstallStatus", { nsNodeId });
    expect(installStatus).toMatchObject({ isFinished: true, error: "cancelled" });
    expect([version(), releases().length, isRunning(), staged()]).toEqual(["1.1.0", 1, "yes", ""]);
    await site.removePackage(slow);
  });

  test("survives the death of the instance that installs it", async () => {
    const slow = await site.upload({ name: NAME, version: "2.0.0", test: "sleep 5" });
    await site.call("NSNodeService/installNSNode", { nsNodeId });
    await site.reached("dns", nsNodeId, "test");
    await site.killAndRestart();
    await site.removePackage(slow);
    expect(await site.ended("dns", nsNodeId)).toMatchObject(failed("", "timeout"));
    expect(version()).toBe("1.1.0");
    const apiNodeAddrsJSON = Buffer.from(JSON.stringify(site.addresses())).toString("base64");
    await site.call("NSNodeService/updateNSNodeAPIConfig", { nsNodeId, apiNodeAddrsJSON });
    expect(await site.install(nsNodeId)).toMatchObject({ state: "done", version: "1.1.0" });
    await site.connected(nsNodeId, "1.1.0");
    expect(releases()).toHaveLength(1);
  });

  test("is reached again from where an upload ended, whatever stands there", async () => {
    const { nodePackages } = await site.call("NodeInstallationService/findAllNodePackages");
    const { sha256, filename } = nodePackages.find((one: { version: string }) => one.version === "1.1.0");
    sshd.run(`echo garbage > ${sshd.home}/.edgehelm/${sha256.slice(0, 16)}-${filename}`);
    expect(await site.install(nsNodeId)).toMatchObject({ error: "", state: "done" });
  });

  test("with a wrong password or key is refused, and neither is logged", async () => {
    const wrong = await site.dnsNode(sshd, await site.grant({ password: "not the password" }));
    expect(await site.install(wrong)).toMatchObject(failed("SSH_LOGIN_FAILED", /root was refused/));
    const key = { method: "privateKey", password: "", privateKey: sshd.privateKey, passphrase: "not the passphrase" };
    const locked = await site.dnsNode(sshd, await site.grant(key));
    expect(await site.install(locked)).toMatchObject(failed("SSH_LOGIN_FAILED", /bad passphrase/));
    for (const secret of ["not the pass", PASSWORD, PASSPHRASE, "PRIVATE KEY"]) {
      expect(site.server.output).not.toContain(secret);
    }
  });

  test("on a host that is dead or protected is not reached", async () => {
    const grantId = await site.grant();
    const dead = await site.dnsNode({ port: 9 }, grantId);
    expect(await site.install(dead)).toMatchObject(failed("SSH_LOGIN_FAILED", /127\.0\.0\.1 failed: ECONNREFUSED/));
    const test = { nodeGrantId: grantId, port: 22 };
    const { error } = await site.call("NodeGrantService/testNodeGrant", { ...test, host: "169.254.169.254" });
    expect(error).toMatch(/outbound\.allow does not contain/);
  });

  test("is installed as an account with a key, with sudo and a password, and not with sudo and a key", async () => {
    const key = { username: "deploy", method: "privateKey", privateKey: sshd.privateKey, passphrase: PASSPHRASE };
    const locked = await site.grant({ ...key, su: true });
    const tested = await site.call("NodeGrantService/testNodeGrant", {
      ...{ nodeGrantId: locked, host: "127.0.0.1", port: sshd.port },
    });
    expect(tested).toMatchObject({ error: expect.stringContaining("sudo refused deploy") });
    sshd.run(`kill $(cat ${root}/run.pid); rm -rf ${sshd.folder}/apps; mkdir ${sshd.folder}/apps`);
    const plain = await site.dnsNode(sshd, await site.grant(key));
    expect(await site.install(plain)).toMatchObject({ state: "failed", errorCode: "CREATE_ROOT_DIRECTORY_FAILED" });
    sshd.run(`chmod 777 ${sshd.folder}/apps`);
    expect(await site.install(plain)).toMatchObject({ error: "", state: "done" });
    expect(sshd.run(`stat -c '%a %U' ${root}/current/configs/api.yaml`).trim()).toBe("600 deploy");
    sshd.run(`kill $(cat ${root}/run.pid); rm -rf ${root}`);
    const grantId = await site.grant({ username: "deploy", password: PASSWORD, su: true });
    const asRoot = await site.dnsNode(sshd, grantId);
    expect(await site.install(asRoot)).toMatchObject({ error: "", state: "done" });
    expect(sshd.run(`stat -c '%a %U' ${root}/current/configs/api.yaml`).trim()).toBe("600 root");
    await site.connected(asRoot, "1.1.0");
  });

  test("becomes a service where systemd runs", async () => {
    await using machine = await startSshd({ hasSystemd: true });
    const ofService = await site.dnsNode(machine, await site.grant());
    expect(await site.install(ofService)).toMatchObject({ error: "", state: "done" });
    const unit = machine.run("cat /etc/systemd/system/edge-dns.service");
    expect(unit).toContain(`ExecStart="${root}/current/bin/edge-dns"\n`);
    expect(unit).toContain(`WorkingDirectory=${root}/current\n`);
    expect(await site.call("NSNodeService/stopNSNode", { nsNodeId: ofService })).toMatchObject({ error: "" });
    expect(machine.run("cat /run/systemctl.log").trim().split("\n")).toEqual([
      "stop edge-dns",
      "daemon-reload",
      "enable -q edge-dns",
      "restart edge-dns",
      "is-active -q edge-dns",
      "stop edge-dns",
    ]);
  });

  test("on a machine with another host key is refused until an operator accepts it", async () => {
    const before = sshd.fingerprint;
    sshd = await sshd.changeHostKey();
    expect(sshd.fingerprint).not.toBe(before);
    const address = { host: "127.0.0.1", port: sshd.port };
    expect(await site.install(nsNodeId)).toMatchObject({
      ...failed(
        "SSH_LOGIN_FAILED",
        `the host key of 127.0.0.1 port ${sshd.port} changed from ${before} to ${sshd.fingerprint}: accept it if the machine is new`,
      ),
      hostKey: { ...address, fingerprint: before, offeredFingerprint: sshd.fingerprint },
    });
    const accept = (fingerprint: string) =>
      site.call("NodeInstallationService/acceptNodeHostKey", { ...address, fingerprint });
    await expect(accept(before)).rejects.toThrow("did not offer");
    await accept(sshd.fingerprint);
    expect(await site.install(nsNodeId)).toMatchObject({ error: "", state: "done" });
  });
});
