import { expect } from "vitest";
import type { Client } from "../day_rig.ts";

/** The things of a user, by the field that names them. */
export interface Things {
  readonly userPlanId: number;
  readonly serverId: number;
  readonly nsDomainId: number;
  readonly code: string;
  readonly userTrafficPackageId?: number;
  readonly userBillId?: number;
}

/** Expects that a user can neither see nor change the things of another; `refused` is the code of changes. */
export async function expectOutOfReach(client: Client, things: Things, refused = 404): Promise<void> {
  const { userPlanId, serverId, nsDomainId, code, userTrafficPackageId, userBillId } = things;
  const found = [
    (await client.post("UserPlanService/findEnabledUserPlan", { userPlanId })).userPlan,
    (await client.post("NSDomainService/findNSDomain", { nsDomainId })).nsDomain,
    (await client.post("UserOrderService/findEnabledUserOrder", { code })).userOrder,
    (await client.post("UserBillService/findUserBill", { userBillId })).userBill,
  ];
  expect(found).toEqual([undefined, undefined, undefined, undefined]);
  const changes = [
    ["UserPlanService/renewUserPlan", { userPlanId, period: "monthly", countPeriod: 1 }],
    ["ServerService/updateServerName", { serverId, name: "mine" }],
    ["ServerService/deleteServer", { serverId }],
    ["NSDomainService/deleteNSDomain", { nsDomainId }],
    ...userTrafficPackageId === undefined
      ? []
      : [["UserTrafficPackageService/deleteUserTrafficPackage", { userTrafficPackageId }] as const],
  ] as const;
  for (const [path, request] of changes) {
    expect({ path, code: (await client.error(path, request)).code }).toEqual({ path, code: refused });
  }
  // the state of a user does not keep anyone from paying
  expect(await client.error("UserOrderService/cancelUserOrder", { code })).toMatchObject({ code: 404 });
  if (userBillId === undefined) return;
  expect(await client.error("UserBillService/payUserBill", { userBillId })).toMatchObject({ code: 404 });
}
