import type { Area, ObjectAction, Row } from "../../shell/area.ts";
import { mayCall, session } from "../../shell/state.ts";

const mayDecide = (path: string) => session.value?.type === "admin" && mayCall(path);
const isUndecided = ({ isVerified, isRejected }: Row) => isVerified !== true && isRejected !== true;

/** Turning on and off has two names, of which an object has one. */
function turning(isOn: boolean, title: ObjectAction["title"]): ObjectAction {
  return {
    noun: "User",
    key: isOn ? "turn-off" : "turn-on",
    title,
    isOffered: (user) => user["isOn"] === isOn && mayDecide("UserService/updateUser"),
    load: () => import("./users/turn.tsx"),
  };
}

/** Users and their money, as operators see them. */
export const business: Area = {
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
      isOffered: (user) => user["isVerified"] !== true && mayDecide("UserService/verifyUser"),
      load: () => import("./users/approve.tsx"),
    },
    {
      noun: "User",
      key: "reject",
      title: { en: "Reject", zh: "拒绝" },
      isOffered: (user) => isUndecided(user) && mayDecide("UserService/verifyUser"),
      load: () => import("./users/reject.tsx"),
    },
    turning(true, { en: "Turn off", zh: "停用" }),
    turning(false, { en: "Turn on", zh: "启用" }),
  ],
};
