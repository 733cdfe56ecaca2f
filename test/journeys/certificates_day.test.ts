import { expect, test } from "vitest";
import { certificateFile } from "../plugins/ssl_cert/certificates.ts";
import { json, openDay } from "./day_rig.ts";

const base64 = (name: string) => btoa(new TextDecoder("latin1").decode(certificateFile(name)));

test(
  "Certificates: accounts with ACME providers, and a customer's own certificate at an origin",
  async () => {
    await using day = await openDay();
    const { admin } = day;

    // The admin creates an account with a provider that requires a binding.
    const { acmeProviders } = await admin.post("ACMEProviderService/findAllACMEProviders");
    expect(acmeProviders).toContainEqual(expect.objectContaining({ code: "zerossl", requireEAB: true }));
    const service = "ACMEProviderAccountService";
    const create = `${service}/createACMEProviderAccount`;
    const account = { name: "zero", providerCode: "zerossl", eabKid: "kid", eabKey: "key" };
    expect(await admin.error(create, { ...account, eabKey: "" })).toMatchObject({ code: 400 });
    expect(await admin.error(create, { ...account, providerCode: "unknown" })).toMatchObject({ code: 400 });
    const { acmeProviderAccountId } = await admin.post(create, account);
    await admin.post(create, { name: "free", providerCode: "letsencrypt" });
    await admin.post(`${service}/updateACMEProviderAccount`, {
      ...{ acmeProviderAccountId, name: "zero ssl", eabKid: "kid2", eabKey: "key2" },
    });
    const find = async () =>
      (await admin.post(`${service}/findEnabledACMEProviderAccount`, { acmeProviderAccountId })).acmeProviderAccount;
    expect(await find()).toMatchObject({ name: "zero ssl", eabKid: "kid2", acmeProvider: { code: "zerossl" } });
    expect((await admin.post(`${service}/countAllEnabledACMEProviderAccounts`)).count).toBe(2);
    expect((await admin.post(`${service}/listEnabledACMEProviderAccounts`, { size: 10 })).acmeProviderAccounts)
      .toMatchObject([{ name: "free" }, { name: "zero ssl" }]);
    const ofProvider = { acmeProviderCode: "letsencrypt" };
    expect(
      (await admin.post(`${service}/findAllACMEProviderAccountsWithProviderCode`, ofProvider)).acmeProviderAccounts,
    )
      .toMatchObject([{ name: "free" }]);

    // A customer uploads a certificate, uses it for an origin, and renews it.
    const ada = await day.user("ada");
    const certificate = { certData: base64("rsa.pem"), keyData: base64("rsa_pkcs8.key") };
    const { sslCertId } = await ada.post("SSLCertService/createSSLCert", { isOn: true, name: "shop", ...certificate });
    const list = async () =>
      json((await ada.post("SSLCertService/listSSLCerts", { keyword: "shop", size: 10 })).sslCertsJSON);
    const [before] = await list();
    expect(before).toMatchObject({ id: sslCertId, name: "shop" });
    const addr = { protocol: "https", host: "198.51.100.1", portRange: "443" };
    const certRefJSON = { isOn: true, certId: sslCertId };
    const { originId } = await ada.post("OriginService/createOrigin", { addr, certRefJSON, name: "main" });
    await ada.post("SSLCertService/updateSSLCert", { sslCertId, certData: base64("rsa_renewed.pem") });
    const [after] = await list();
    expect(after).toMatchObject({ id: sslCertId, name: "shop" });
    expect(after.timeEndAt).not.toBe(before.timeEndAt);
    const { originJSON } = await ada.post("OriginService/findEnabledOriginConfig", { originId });
    expect(json(originJSON)).toMatchObject({ version: 2 });
    expect(await ada.error("SSLCertService/deleteSSLCert", { sslCertId }))
      .toMatchObject({ code: 409, message: `certificate ${sslCertId} is used by origin "main"` });
    const bob = await day.user("bob");
    expect((await bob.post("SSLCertService/findEnabledSSLCertConfig", { sslCertId })).sslCertJSON).toBe(btoa("null"));

    await ada.post("OriginService/updateOrigin", { originId, addr, certRefJSON: { isOn: false, certId: 0 } });
    await ada.post("SSLCertService/deleteSSLCert", { sslCertId });
    await admin.post(`${service}/deleteACMEProviderAccount`, { acmeProviderAccountId });
    expect(await find()).toBeUndefined();
  },
);
