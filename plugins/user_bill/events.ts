import { defineEvent } from "edgehelm/runtime";
import {
  UserBillBecameDueSchema,
  UserBillBecameOverdueSchema,
  UserBillMadeSchema,
  UserBillPaidSchema,
} from "./proto/events_pb.ts";

export const billMade = defineEvent({
  name: "user_bill.made",
  level: "info",
  data: UserBillMadeSchema,
  about: "userBillId",
  isForOwner: true,
  modules: ["finance"],
  texts: {
    en: { subject: "New bill for {dayFrom} to {dayTo}", body: "Pay it before {overdueAt}." },
    zh: { subject: "{dayFrom} 至 {dayTo} 的新账单", body: "请在 {overdueAt} 之前支付。" },
  },
});

export const billPaid = defineEvent({
  name: "user_bill.paid",
  level: "success",
  data: UserBillPaidSchema,
  about: "userBillId",
  isForOwner: true,
  modules: ["finance"],
  texts: {
    en: { subject: "The bill {code} is paid", body: "The bill {code} was paid from the account." },
    zh: { subject: "账单 {code} 已支付", body: "账单 {code} 已从账户余额支付。" },
  },
});

export const billDue = defineEvent({
  name: "user_bill.became_due",
  level: "info",
  data: UserBillBecameDueSchema,
  about: "userBillId",
  isForOwner: true,
  modules: ["finance"],
  texts: {
    en: { subject: "The bill {code} is due", body: "Pay the bill {code} before {overdueAt}." },
    zh: { subject: "账单 {code} 即将到期", body: "请在 {overdueAt} 之前支付账单 {code}。" },
  },
});

export const billOverdue = defineEvent({
  name: "user_bill.became_overdue",
  level: "warning",
  data: UserBillBecameOverdueSchema,
  about: "userBillId",
  isForOwner: true,
  modules: ["finance"],
  texts: {
    en: { subject: "The bill {code} is overdue", body: "Pay the bill {code}; its user may be suspended." },
    zh: { subject: "账单 {code} 已逾期", body: "请支付账单 {code}；用户可能被暂停服务。" },
  },
});

export const EVENTS = [billMade, billPaid, billDue, billOverdue];
