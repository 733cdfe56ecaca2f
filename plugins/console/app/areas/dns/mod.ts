import type { Area } from "../../shell/area.ts";
import { NEEDED } from "./overview/progress.ts";
import { isListed, mayCall, session } from "../../shell/state.ts";

const HOURS_OF_DOMAIN = "NSRecordHourlyStatService/findLatestNSDomainHourlyStats";
const SUMS_OF_DOMAIN = "NSRecordHourlyStatService/sumNSDomainStats";
const STATES_OF_HEALTH = [
  "NSRecordService/listNSRecordHealthStates",
  "NSRecordService/countNSRecordHealthStates",
];

/** The operations that the card of the overview counts with. */
const COUNTED = [
  "NSNodeService/countAllNSNodesMatch",
  "SSLCertService/countSSLCerts",
  "NSDomainService/countAllNSDomains",
  "UserBillService/countAllUserBills",
];

/** Domains, records, DNS clusters and their nodes. */
export const dns: Area = {
  panels: [{
    noun: "NSDomain",
    key: "records",
    title: { en: "Records", zh: "记录" },
    replaces: "NSRecord",
    isOffered: () => isListed("NSRecord"),
    load: () => import("./zone/panel.tsx"),
  }, {
    noun: "NSDomain",
    key: "queries",
    title: { en: "Queries", zh: "查询" },
    rank: 1,
    isOffered: () => mayCall(HOURS_OF_DOMAIN) && mayCall(SUMS_OF_DOMAIN),
    load: () => import("./queries/panel.tsx"),
  }, {
    noun: "NSDomain",
    key: "verification",
    title: { en: "Verification", zh: "验证" },
    isOffered: () =>
      session.value?.type === "admin" && mayCall("NSDomainService/findNSDomainVerifyingInfo") &&
      mayCall("NSDomainService/verifyNSDomain"),
    load: () => import("../customer/verify/panel.tsx"),
  }, {
    noun: "NSDomain",
    key: "health",
    title: { en: "Health checks", zh: "健康检查" },
    rank: 1,
    isOffered: () => STATES_OF_HEALTH.every(mayCall),
    load: () => import("./health/panel.tsx"),
  }, {
    noun: "NSDomain",
    key: "dnssec",
    title: { en: "DNSSEC", zh: "DNSSEC" },
    rank: 2,
    isOffered: () => mayCall("NSDNSSECService/findNSDomainDNSSEC"),
    load: () => import("./dnssec/panel.tsx"),
  }],
  cards: [{
    key: "operator-first-steps",
    rank: 0,
    isOffered: () => session.value?.type === "admin" && NEEDED.every(mayCall),
    load: () => import("./overview/first_steps.tsx"),
  }, {
    key: "operator-attention",
    rank: 1,
    isOffered: () => session.value?.type === "admin" && COUNTED.some(mayCall),
    load: () => import("./overview/attention.tsx"),
  }],
};
