import type { Area } from "../../shell/area.ts";
import { isCustomerWith } from "./reader.ts";

const VERIFYING = ["NSDomainService/verifyNSDomain", "NSDomainService/findNSDomainVerifyingInfo"];
const loadVerification = () => import("./verify/panel.tsx");

/** The pages of customers beside the lists: their account and plans, and the way to the first domain. */
export const customer: Area = {
  pages: [{
    key: "plans",
    title: { en: "Plans and prices", zh: "套餐与价格" },
    group: "plan",
    replaces: ["UserPlan", "UserTrafficPackage"],
    isOffered: () => isCustomerWith("PlanService/findAllAvailablePlans", "UserPlanService/listEnabledUserPlans"),
    load: () => import("./plans/page.tsx"),
  }, {
    key: "billing",
    title: { en: "Bills and account", zh: "账单与账户" },
    group: "finance",
    replaces: ["UserBill", "UserOrder", "UserOrderRefund", "UserAccountLog", "UserInvoice"],
    isOffered: () => isCustomerWith("UserAccountService/findEnabledUserAccountWithUserId"),
    load: () => import("./billing/page.tsx"),
  }, {
    key: "access-keys",
    title: { en: "Access keys", zh: "访问密钥" },
    group: "user",
    isOffered: () =>
      isCustomerWith("UserAccessKeyService/findAllEnabledUserAccessKeys", "UserAccessKeyService/createUserAccessKey"),
    load: () => import("./keys/page.tsx"),
  }, {
    key: "add-domain",
    title: { en: "Add domain", zh: "添加域名" },
    creates: "NSDomain",
    isOffered: () => isCustomerWith("NSDomainService/createNSDomain"),
    load: () => import("./verify/add_domain.tsx"),
  }],
  panels: [{
    noun: "NSDomain",
    key: "verification",
    title: { en: "Verification", zh: "验证" },
    rank: -1,
    isOffered: ({ status }) => status !== "verified" && isCustomerWith(...VERIFYING),
    load: loadVerification,
  }, {
    // the same key, so that who has just verified a domain reads on here
    noun: "NSDomain",
    key: "verification",
    title: { en: "Name servers", zh: "域名服务器" },
    rank: 1,
    isOffered: ({ status }) => status === "verified" && isCustomerWith(...VERIFYING),
    load: loadVerification,
  }],
  cards: [{
    key: "first-steps",
    rank: 0,
    isOffered: () => isCustomerWith("NSDomainService/createNSDomain", "NSDomainService/listNSDomains"),
    load: () => import("./overview/first_steps.tsx"),
  }, {
    key: "attention",
    rank: 1,
    isOffered: () => isCustomerWith(),
    load: () => import("./overview/attention.tsx"),
  }, {
    key: "own-plans",
    rank: 10,
    isOffered: () => isCustomerWith("UserPlanService/listEnabledUserPlans"),
    load: () => import("./overview/own_plans.tsx"),
  }, {
    key: "own-traffic",
    rank: 20,
    isOffered: () => isCustomerWith("ServerDailyStatService/findServerDailyStatsBetweenDays"),
    load: () => import("./overview/traffic.tsx"),
  }],
};
