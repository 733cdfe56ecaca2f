import { invalid, jsonField, RpcError } from "edgehelm";
import type { OrderType } from "../user_order/contract.ts";
import { TrafficPackageOrderSchema } from "./proto/shapes_pb.ts";
import type { PackageSale } from "./sale.ts";

/** Lets users order packages that they pay through a provider. */
export function packageOrders(sale: PackageSale): OrderType {
  return {
    type: "buyTrafficPackage",
    async priceOf(call, field, _userId, paramsJSON) {
      const params = jsonField(field, paramsJSON, TrafficPackageOrderSchema);
      if (params === undefined) throw invalid(field, "is required for buyTrafficPackage");
      return await sale.priceOf(call, await sale.offer(call, params));
    },
    async purchase(call, { userId, amount, paramsJSON }) {
      const params = jsonField("paramsJSON", paramsJSON, TrafficPackageOrderSchema)!;
      try {
        const offer = await sale.offer(call, params);
        await sale.sell(call, userId, offer, amount);
      } catch (error) {
        if (error instanceof RpcError) return false;
        throw error;
      }
      return true;
    },
  };
}
