// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "pb.CountTrafficPackagePricesRequest": "Identifies the package whose prices to count.",
  "pb.CountTrafficPackagePricesRequest.trafficPackageId": "Selects the traffic package prices of this package, by its id.",
  "pb.FindAllTrafficPackagePricesRequest": "Has no fields.",
  "pb.FindAllTrafficPackagePricesResponse": "The prices of all packages.",
  "pb.FindAllTrafficPackagePricesResponse.trafficPackagePrices": "The prices, sorted by package, region and period.",
  "pb.FindTrafficPackagePriceRequest": "Identifies the price to find and the number of packages.",
  "pb.FindTrafficPackagePriceRequest.count": "The number of packages, up to 100000; 0 means 1.",
  "pb.FindTrafficPackagePriceRequest.nodeRegionId": "The id of the region in which the price applies.",
  "pb.FindTrafficPackagePriceRequest.trafficPackageId": "The id of the package whose price to find.",
  "pb.FindTrafficPackagePriceRequest.trafficPackagePeriodId": "The id of the period that is paid for.",
  "pb.FindTrafficPackagePriceResponse": "The price; 0 if there is none.",
  "pb.FindTrafficPackagePriceResponse.amount": "The price of all packages.",
  "pb.FindTrafficPackagePriceResponse.price": "The price of one package, with up to two decimal places.",
  "pb.FindTrafficPackagePricesRequest": "Identifies the package whose prices to find.",
  "pb.FindTrafficPackagePricesRequest.trafficPackageId": "The id of the package that the response describes.",
  "pb.FindTrafficPackagePricesResponse": "The prices of the package.",
  "pb.FindTrafficPackagePricesResponse.trafficPackagePrices": "The prices, sorted by package, region and period.",
  "pb.TrafficPackagePrice": "The price of a traffic package in a region for a period.",
  "pb.TrafficPackagePrice.nodeRegionId": "The id of the region in which the price applies.",
  "pb.TrafficPackagePrice.price": "The price of one package, with up to two decimal places.",
  "pb.TrafficPackagePrice.trafficPackageId": "The id of the package that has the price.",
  "pb.TrafficPackagePrice.trafficPackagePeriodId": "The id of the period that is paid for.",
  "pb.TrafficPackagePriceService": "Manages the prices of traffic packages by region and period.",
  "pb.TrafficPackagePriceService.countTrafficPackagePrices": "Counts the prices of a package, without returning them.",
  "pb.TrafficPackagePriceService.findAllTrafficPackagePrices": "Finds the prices of all packages, in one response without pages.",
  "pb.TrafficPackagePriceService.findTrafficPackagePrice": "Finds the price of a number of packages.",
  "pb.TrafficPackagePriceService.findTrafficPackagePrices": "Finds the prices of a package, in one response without pages.",
  "pb.TrafficPackagePriceService.updateTrafficPackagePrice": "Sets the price of a package in a region for a period.",
  "pb.UpdateTrafficPackagePriceRequest": "The price.",
  "pb.UpdateTrafficPackagePriceRequest.nodeRegionId": "The id of the region that is meant.",
  "pb.UpdateTrafficPackagePriceRequest.price": "The price of one package, with up to two decimal places; 0 deletes the price.",
  "pb.UpdateTrafficPackagePriceRequest.trafficPackageId": "The id of the package to change.",
  "pb.UpdateTrafficPackagePriceRequest.trafficPackagePeriodId": "The id of the period that is meant.",
};

/** Imports the same comments in other languages. */
export const translations = {
  zh: () => import("./comments_zh_pb.ts"),
};
