import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Objects } from "./objects.ts";

/** A request with a secret. */
export interface Planting {
  readonly name: string;
  /** The operation, such as `UserService/createUser`. */
  readonly path: string;
  readonly request: Readonly<Record<string, unknown>>;
  /** The part of the secret that is looked for. */
  readonly core: string;
  /** True if the call is to fail for every caller, such as a wrong password. */
  readonly fails?: true;
}

const FIXTURES = new URL("../../fixtures/certificates/", import.meta.url);
const file = (name: string) => readFileSync(new URL(name, FIXTURES), "utf8");
const base64 = (text: string) => btoa(text);
const json = (value: unknown) => base64(JSON.stringify(value));
/** Letters that JSON must escape, around the part that is looked for. */
const around = (core: string) => `a"\\ ${core} z`;

interface PlantingOptions {
  readonly fails?: true;
  readonly secretOf?: (core: string) => string;
  readonly coreFrom?: (core: string) => string;
}

/** The last whole line of a key in PEM: the first ones say of what kind it is. */
function coreOf(pem: string): string {
  const lines = pem.trim().split("\n");
  return lines.at(-2)!.length >= 40 ? lines.at(-2)!.slice(0, 40) : lines.at(-3)!.slice(-40);
}

/** @param newCore returns letters and digits that nothing else contains */
export function plantings(objects: Objects, newCore: () => string): Planting[] {
  const list: Planting[] = [];
  const plant = (
    name: string,
    path: string,
    request: (secret: string) => Record<string, unknown>,
    { fails, secretOf = around, coreFrom = (core) => core }: PlantingOptions = {},
  ) => {
    const core = coreFrom(newCore());
    list.push({ name, path, request: request(secretOf(core)), core, ...fails !== undefined && { fails } });
  };
  const plain = { secretOf: (core: string) => core };
  const serial = () => `n${list.length}`;
  const { userId, adminId, nsDomainId, grantId, nsKeyId, originId, mediaId, accountId, certId } = objects;

  plant("password of a user", "UserService/createUser", (password) => ({
    ...{ username: serial(), fullname: "Ada", password },
  }));
  plant("registered password", "UserService/registerUser", (password) => ({
    ...{ username: serial(), fullname: "Ada", password, email: `${serial()}@example.com`, ip: "192.0.2.1" },
  }));
  plant("changed password of a user", "UserService/updateUser", (password) => ({
    ...{ userId, username: "ada", fullname: "Ada", isOn: true, password },
  }));
  plant("password of an admin", "AdminService/createAdmin", (password) => ({
    ...{ username: serial(), fullname: "Root", password, canLogin: true },
  }));
  plant("changed password of an admin", "AdminService/updateAdminLogin", (password) => ({
    ...{ adminId, username: "second", password },
  }));
  plant("updated password of an admin", "AdminService/updateAdmin", (password) => ({
    ...{ adminId, username: "second", fullname: "Second", password, canLogin: true, isOn: true },
  }));
  plant("wrong password of a user", "UserService/loginUser", (password) => ({ username: "ada", password }));
  plant("wrong password of an admin", "AdminService/loginAdmin", (password) => ({ username: "second", password }));
  const exchange = "APIAccessTokenService/getAPIAccessToken";
  for (const type of ["admin", "user", "node", "dns", "report"]) {
    plant(
      `wrong secret of a key (${type})`,
      exchange,
      (accessKey) => ({ type, accessKeyId: "unknownkey000001", accessKey }),
      {
        fails: true,
      },
    );
  }

  const grant = { name: "grant", username: "root" };
  plant("SSH password", "NodeGrantService/createNodeGrant", (password) => ({ ...grant, method: "user", password }));
  plant("changed SSH password", "NodeGrantService/updateNodeGrant", (password) => ({
    ...{ ...grant, nodeGrantId: grantId, method: "user", password },
  }));
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  list.push({
    name: "SSH key",
    path: "NodeGrantService/createNodeGrant",
    request: { ...grant, method: "privateKey", privateKey },
    core: coreOf(privateKey),
  });
  plant("passphrase of an SSH key", "NodeGrantService/createNodeGrant", (passphrase) => ({
    ...{ ...grant, method: "privateKey", privateKey, passphrase },
  }));

  const tsig = { name: "transfer.example.com", algo: "hmac-sha256." };
  plant("TSIG key", "NSKeyService/createNSKey", (secret) => ({
    ...{ ...tsig, nsDomainId, name: `${serial()}.example.com`, secret, secretType: "clear" },
  }), plain);
  plant("TSIG key in base64", "NSKeyService/createNSKey", (secret) => ({
    ...{ ...tsig, nsDomainId, name: `${serial()}.example.com`, secret, secretType: "base64" },
  }), plain);
  plant("changed TSIG key", "NSKeyService/updateNSKey", (secret) => ({
    ...{ ...tsig, nsKeyId, secret, secretType: "clear", isOn: true },
  }), plain);

  for (
    const [name, path, extra, cert, key] of [
      ["key of a certificate", "SSLCertService/createSSLCert", {}, "p256.pem", "p256_pkcs8.key"],
      [
        "changed key of a certificate",
        "SSLCertService/updateSSLCert",
        { sslCertId: certId },
        "rsa.pem",
        "rsa_pkcs8.key",
      ],
    ] as const
  ) {
    const pem = file(key);
    const request = { ...extra, isOn: true, name: "cert", certData: base64(file(cert)), keyData: base64(pem) };
    list.push({ name, path, request, core: coreOf(pem) });
  }

  const media = (name: string, mediaType: string, params: (secret: string) => object) => {
    const create = "MessageMediaInstanceService/createMessageMediaInstance";
    plant(name, create, (secret) => ({ name: "media", mediaType, paramsJSON: json(params(secret)) }), plain);
  };
  const mail = { smtp: "smtp.example.com:587", username: "mail", from: "a@example.com" };
  media("SMTP password", "email", (password) => ({ ...mail, password }));
  const hook = { url: "https://hook.example.com/", method: "POST" };
  media("header of a web hook", "webHook", (value) => ({ ...hook, headers: [{ name: "Authorization", value }] }));
  media("parameter of a web hook", "webHook", (value) => ({ ...hook, params: [{ name: "key", value }] }));
  media("token in the address of a web hook", "webHook", (value) => ({ ...hook, url: `${hook.url}?token=${value}` }));
  media("body of a web hook", "webHook", (value) => ({ ...hook, body: `{"auth": "${value}"}` }));
  media("address of a robot", "dingTalk", (value) => ({
    webHookURL: `https://oapi.dingtalk.com/robot/send?access_token=${value}`,
  }));
  media("secret of an application", "qyWeixin", (appSecret) => ({ corporateId: "corp", agentId: "1", appSecret }));
  media("key of an SMS account", "aliyunSms", (accessKeySecret) => ({
    ...{ sign: "sign", templateCode: "SMS_1", accessKeyId: "id", accessKeySecret },
  }));
  media("token of a bot", "telegram", (token) => ({ token: `1234567:${token}` }));
  plant("changed SMTP password", "MessageMediaInstanceService/updateMessageMediaInstance", (password) => ({
    ...{ messageMediaInstanceId: mediaId, name: "media", mediaType: "email", isOn: true },
    paramsJSON: json({ ...mail, password }),
  }), plain);

  const storage = (secretKey: string) => ({ type: "s3", options: { bucket: "films", accessKeyId: "id", secretKey } });
  plant("key of a storage", "OriginService/createOrigin", (secret) => ({ ossJSON: json(storage(secret)) }), plain);
  plant("changed key of a storage", "OriginService/updateOrigin", (secret) => ({
    ...{ originId, name: "films", isOn: true, ossJSON: json(storage(secret)) },
  }), plain);

  plant("EAB key", "ACMEProviderAccountService/createACMEProviderAccount", (eabKey) => ({
    ...{ name: "main", providerCode: "zerossl", eabKid: serial(), eabKey },
  }), plain);
  plant("changed EAB key", "ACMEProviderAccountService/updateACMEProviderAccount", (eabKey) => ({
    ...{ acmeProviderAccountId: accountId, name: "main", eabKid: serial(), eabKey },
  }), plain);
  plant("secret of a payment method", "OrderMethodService/createOrderMethod", (secret) => ({
    ...{ name: "Pay", code: serial(), parentCode: "webhook", url: "https://pay.example.com/" },
    paramsJSON: json({ secrets: [secret] }),
  }), { secretOf: (core) => `whsec_${base64(core.repeat(2))}` });
  plant("secret of a second factor", "LoginService/updateLogin", (secret) => ({
    login: { type: "otp", userId, isOn: true, paramsJSON: json({ secret }) },
  }), { ...plain, coreFrom: (core) => core.toUpperCase().replaceAll(/[^A-Z2-7]/g, "A") });
  return list;
}
