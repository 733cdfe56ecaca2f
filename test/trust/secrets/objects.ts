import { readFileSync } from "node:fs";
import type { Server } from "../../harness/server.ts";
import type { Needles } from "./needles.ts";

/** The ids of objects that requests change. */
export type Objects = Readonly<
  Record<
    "userId" | "adminId" | "nsDomainId" | "grantId" | "nsKeyId" | "originId" | "mediaId" | "accountId" | "certId",
    number
  >
>;

/** The ids of what was created, and the token of a node, which may call almost nothing. */
export interface Created {
  readonly objects: Objects;
  readonly nodeToken: string;
}

/** Creates the objects, and adds the secrets and tokens that the server made to those that are looked for. */
export async function createObjects(server: Server, adminToken: string, needles: Needles): Promise<Created> {
  // deno-lint-ignore no-explicit-any -- each operation has its own shape of data
  const post = async (path: string, request: object = {}): Promise<any> => {
    const { code, message, data } = await server.postWith(adminToken, `/${path}`, request);
    if (code !== 200) throw new Error(`${path}: ${code} ${message}`);
    return data;
  };
  const json = (value: unknown) => btoa(JSON.stringify(value));
  const token = async (name: string, id: string, secret: string, type: string) => {
    needles.add(`secret of ${name}`, secret);
    const issued = await server.token(id, secret, type);
    // The signature alone makes a token; its other parts are the same in many.
    needles.add(`token of ${name}`, issued.split(".").at(-1)!);
    return issued;
  };
  needles.add("token of an admin", adminToken.split(".").at(-1)!);
  const { userId } = await post("UserService/createUser", {
    ...{ username: "ada", fullname: "Ada", password: "correct horse battery" },
  });
  const { adminId } = await post("AdminService/createAdmin", {
    ...{ username: "second", fullname: "Second", password: "correct horse battery", canLogin: true },
  });
  const key = await post("UserAccessKeyService/createUserAccessKey", { userId });
  await token("a user", key.uniqueId, key.secret, "user");

  const { nodeClusterId } = await post("NodeClusterService/createNodeCluster", { name: "fra" });
  const { nodeId } = await post("NodeService/createNode", { name: "fra-1", nodeClusterId });
  const { node } = await post("NodeService/findEnabledNode", { nodeId });
  const nodeToken = await token("a node", node.uniqueId, node.secret, "node");
  const { nsClusterId } = await post("NSClusterService/createNSCluster", { name: "eu", hosts: ["ns1.edge.test"] });
  const { nsNodeId } = await post("NSNodeService/createNSNode", { name: "ns", nodeClusterId: nsClusterId });
  const { nsNode } = await post("NSNodeService/findNSNode", { nsNodeId });
  await token("a DNS node", nsNode.uniqueId, nsNode.secret, "dns");
  const { reportNodeId } = await post("ReportNodeService/createReportNode", { name: "report" });
  const { reportNode } = await post("ReportNodeService/findEnabledReportNode", { reportNodeId });
  await token("a report node", reportNode.uniqueId, reportNode.secret, "report");

  const { nsDomainId } = await post("NSDomainService/createNSDomain", { nsClusterId, name: "shop.example" });
  const { nsKeyId } = await post("NSKeyService/createNSKey", {
    ...{ nsDomainId, name: "first.example.com", algo: "hmac-sha256.", secret: "", secretType: "" },
  });
  const { nodeGrantId } = await post("NodeGrantService/createNodeGrant", {
    ...{ name: "grant", method: "user", username: "root", password: "first password" },
  });
  const { originId } = await post("OriginService/createOrigin", {
    ...{ name: "films", ossJSON: json({ type: "s3", options: { bucket: "films" } }) },
  });
  const { messageMediaInstanceId } = await post("MessageMediaInstanceService/createMessageMediaInstance", {
    ...{ name: "media", mediaType: "email" },
    paramsJSON: json({ smtp: "smtp.example.com:587", username: "mail", password: "first", from: "a@example.com" }),
  });
  const { acmeProviderAccountId } = await post("ACMEProviderAccountService/createACMEProviderAccount", {
    ...{ name: "main", providerCode: "zerossl", eabKid: "first", eabKey: "Zmlyc3Q" },
  });
  const { sslCertId } = await post("SSLCertService/createSSLCert", {
    ...{ isOn: true, name: "first", certData: pem("p384.pem"), keyData: pem("p384_sec1.key") },
  });
  const objects = {
    ...{ userId, adminId, nsDomainId, grantId: nodeGrantId, nsKeyId, originId },
    ...{ mediaId: messageMediaInstanceId, accountId: acmeProviderAccountId, certId: sslCertId },
  };
  return { objects, nodeToken };
}

function pem(name: string): string {
  return btoa(readFileSync(new URL(`../../fixtures/certificates/${name}`, import.meta.url), "utf8"));
}
