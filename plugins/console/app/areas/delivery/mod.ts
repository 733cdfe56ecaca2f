import type { Area } from "../../shell/area.ts";
import { mayCall } from "../../shell/state.ts";

/** Sites, and the certificates that they present. */
export const delivery: Area = {
  pages: [{
    key: "certificates",
    title: { en: "Certificates", zh: "证书" },
    group: "server",
    replaces: ["SSLCert"],
    isOffered: () => mayCall("SSLCertService/listSSLCerts") && mayCall("SSLCertService/countSSLCerts"),
    load: () => import("./certificates/page.tsx"),
  }],
};
