import type { Area, ObjectAction, Row } from "../../shell/area.ts";
import { mayCall, session } from "../../shell/state.ts";

const isUndecided = ({ isVerified, isRejected }: Row) => isVerified !== true && isRejected !== true;

const isOperatorWith = (path: string) => session.value?.type === "admin" && mayCall(path);

/** Turning on and off has two names, of which an object has one. */
function turning(isOn: boolean, title: ObjectAction["title"]): ObjectAction {
  return {
    noun: "User",
    key: isOn ? "turn-off" : "turn-on",
    title,
    isOffered: (user) => user["isOn"] === isOn && isOperatorWith("UserService/updateUser"),
    load: () => import("./users/turn.tsx"),
  };
}

/** Users, plans and money, as operators see them. */
export const business: Area = {
  pages: [{
    key: "plans",
    title: { en: "Plans", zh: "套餐" },
    group: "plan",
    replaces: ["Plan"],
    creates: "Plan",
    isOffered: () => mayCall("PlanService/listEnabledPlans"),
    load: () => import("./plans/page.tsx"),
  }, {
    key: "bills",
    title: { en: "Bills", zh: "账单" },
    group: "finance",
    replaces: ["UserBill"],
    isOffered: () => isOperatorWith("UserBillService/listUserBills"),
    load: () => import("./bills/page.tsx"),
  }, {
    key: "orders",
    title: { en: "Orders and refunds", zh: "订单与退款" },
    group: "finance",
    replaces: ["UserOrder", "UserOrderRefund"],
    isOffered: () => isOperatorWith("UserOrderService/listEnabledUserOrders"),
    load: () => import("./orders/page.tsx"),
  }, {
    key: "invoices",
    title: { en: "Invoices", zh: "发票" },
    group: "finance",
    replaces: ["UserInvoice"],
    creates: "UserInvoice",
    isOffered: () => isOperatorWith("UserInvoiceService/listUserInvoices"),
    load: () => import("./invoices/page.tsx"),
  }, {
    key: "payment-methods",
    title: { en: "Payment methods", zh: "支付方式" },
    group: "finance",
    replaces: ["OrderMethod"],
    creates: "OrderMethod",
    isOffered: () => mayCall("OrderMethodService/findAllEnabledOrderMethods"),
    load: () => import("./payment_methods/page.tsx"),
  }],
  panels: [{
    noun: "User",
    key: "standing",
    title: { en: "State and account", zh: "状态与账户" },
    rank: -1,
    replaces: "UserAccountLog",
    isOffered: () => session.value?.type === "admin",
    load: () => import("./users/panel.tsx"),
  }],
  actions: [
    {
      noun: "User",
      key: "approve",
      title: { en: "Approve", zh: "通过审核" },
      isOffered: (user) => user["isVerified"] !== true && isOperatorWith("UserService/verifyUser"),
      load: () => import("./users/approve.tsx"),
    },
    {
      noun: "User",
      key: "reject",
      title: { en: "Reject", zh: "拒绝" },
      isOffered: (user) => isUndecided(user) && isOperatorWith("UserService/verifyUser"),
      load: () => import("./users/reject.tsx"),
    },
    turning(true, { en: "Turn off", zh: "停用" }),
    turning(false, { en: "Turn on", zh: "启用" }),
  ],
};
