import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { browserRuns } from "../../../core/client/runtimes/page_visit.ts";
import { certificateFile } from "../../ssl_cert/certificates.ts";
import { ConsoleServer, type Visit } from "../visitor.ts";

const PLUGINS = [
  "admin",
  "api_access_token",
  "console",
  "ns_cluster",
  "ns_domain",
  "ssl_cert",
  "user",
  "user_access_key",
];
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const file = (name: string) => new TextDecoder().decode(certificateFile(name));

describe.runIf(browserRuns())("certificates in a browser", () => {
  let served: ConsoleServer;
  let visit: Visit;
  let page: Page;
  beforeAll(async () => {
    served = await ConsoleServer.start(PLUGINS);
  });
  afterAll(() => served.stop());
  beforeEach(async () => {
    visit = await served.visit();
    ({ page } = visit);
    await visit.signIn();
  });
  afterEach(() => visit.end());

  async function fill(certificate: string, key: string): Promise<void> {
    await page.getByLabel("Certificate and chain (PEM)", { exact: true }).fill(file(certificate));
    await page.getByLabel("Private key (PEM)", { exact: true }).fill(file(key));
  }

  test("an operator uploads a certificate, renews it, and deletes it", async () => {
    await visit.open("certificates");
    await page.getByText("There are no certificates yet").waitFor();
    await page.getByRole("button", { name: "Upload certificate" }).click();
    const dialog = page.getByRole("dialog");
    const upload = dialog.getByRole("button", { name: "Upload certificate" });
    await upload.click();
    await dialog.getByRole("alert").getByText("Paste the certificate").waitFor();
    await fill("rsa.pem", "other.key");
    await upload.click();
    await dialog.getByRole("alert").getByText("keyData").waitFor();
    await fill("rsa.pem", "rsa_pkcs8.key");
    await dialog.getByLabel("Name").fill("shop");
    await visit.expectAccessible();
    await upload.click();
    await page.getByRole("cell", { name: "shop", exact: true }).waitFor();
    await page.getByText("1 certificate", { exact: true }).waitFor();
    await visit.expectAccessible();
    await page.getByRole("button", { name: "Theme" }).click();
    await visit.expectAccessible();
    await page.setViewportSize({ width: 390, height: 800 });
    await visit.expectNoSidewaysScroll();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole("button", { name: "Renew", exact: true }).click();
    await fill("rsa_renewed.pem", "rsa_pkcs8.key");
    await dialog.getByRole("button", { name: "Renew" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("cell", { name: "shop", exact: true }).waitFor();
    await page.getByRole("button", { name: "Delete certificate shop" }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByText("There are no certificates yet").waitFor();
  });

  test("an operator sees the certificates of customers apart from their own", async () => {
    const person = { username: "ada", password: "ada walks in the rain" };
    const { data: { userId } } = await served.server.post("/UserService/createUser", person);
    const { code } = await served.server.post("/SSLCertService/createSSLCert", {
      ...{ isOn: true, name: "of ada", userId },
      certData: base64(certificateFile("p256.pem")),
      keyData: base64(certificateFile("p256_pkcs8.key")),
    });
    expect(code).toBe(200);
    await visit.open("certificates");
    await page.getByText("There are no certificates yet").waitFor();
    await page.getByRole("button", { name: "Of customers" }).click();
    await page.getByRole("cell", { name: "of ada", exact: true }).waitFor();
    await page.getByText("1 certificate", { exact: true }).waitFor();
  });

  test("the overview says what needs attention, and leads to it", async () => {
    await visit.open("");
    await page.getByText("Nothing needs attention.").waitFor();
    await visit.open("certificates");
    await page.getByRole("button", { name: "Upload certificate" }).click();
    await fill("expired.pem", "expired.key");
    await page.getByRole("dialog").getByRole("button", { name: "Upload certificate" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await visit.open("");
    await page.getByText("1 certificate has expired").waitFor();
    await visit.expectAccessible();
    await page.getByRole("link", { name: "Renew: 1 certificate has expired" }).click();
    expect(await page.getByRole("button", { name: "Expired", exact: true }).getAttribute("aria-pressed")).toBe("true");
    await page.locator(".certificates .tag", { hasText: "expired" }).waitFor();
  });
});
