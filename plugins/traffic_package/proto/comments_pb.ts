// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "pb.CreateTrafficPackageRequest": "The package to create.",
  "pb.CreateTrafficPackageRequest.size": "The number of units; must be positive.",
  "pb.CreateTrafficPackageRequest.unit": "The unit: gb, tb or pb, each 1024 times the previous one.",
  "pb.CreateTrafficPackageResponse": "The package to create.",
  "pb.CreateTrafficPackageResponse.trafficPackageId": "The package to create.",
  "pb.DeleteTrafficPackageRequest": "Identifies the package to delete.",
  "pb.DeleteTrafficPackageRequest.trafficPackageId": "The id of the package to delete.",
  "pb.FindAllAvailableTrafficPackagesRequest": "Has no fields.",
  "pb.FindAllAvailableTrafficPackagesResponse": "The packages that are turned on.",
  "pb.FindAllAvailableTrafficPackagesResponse.trafficPackages": "The packages, smallest first.",
  "pb.FindAllTrafficPackagesRequest": "Has no fields.",
  "pb.FindAllTrafficPackagesResponse": "All packages.",
  "pb.FindAllTrafficPackagesResponse.trafficPackages": "The packages, smallest first.",
  "pb.FindTrafficPackageRequest": "Identifies the package to find.",
  "pb.FindTrafficPackageRequest.trafficPackageId": "The id of the package to find.",
  "pb.FindTrafficPackageResponse": "The package.",
  "pb.FindTrafficPackageResponse.trafficPackage": "The package; absent when there is none.",
  "pb.TrafficPackage": "A prepaid amount of traffic.",
  "pb.TrafficPackage.bytes": "The size in bytes.",
  "pb.TrafficPackage.id": "The ID of the package.",
  "pb.TrafficPackage.isOn": "False if it is turned off.",
  "pb.TrafficPackage.size": "The number of units; must be positive.",
  "pb.TrafficPackage.unit": "The unit: gb, tb or pb, each 1024 times the previous one.",
  "pb.TrafficPackageService": "Manages traffic packages, prepaid amounts of traffic.",
  "pb.TrafficPackageService.createTrafficPackage": "Creates a package, which is turned on immediately. Sizes are unique.",
  "pb.TrafficPackageService.deleteTrafficPackage": "Deletes a package. Refused while it is in use.",
  "pb.TrafficPackageService.findAllAvailableTrafficPackages": "Finds the packages that are turned on.",
  "pb.TrafficPackageService.findAllTrafficPackages": "Finds all packages, including those that are turned off.",
  "pb.TrafficPackageService.findTrafficPackage": "Finds a package; the response is empty if it does not exist.",
  "pb.TrafficPackageService.updateTrafficPackage": "Turns a package on or off; its size never changes.",
  "pb.UpdateTrafficPackageRequest": "The new on/off state of a package.",
  "pb.UpdateTrafficPackageRequest.isOn": "If false, turns the package off: it is no longer offered.",
  "pb.UpdateTrafficPackageRequest.trafficPackageId": "The id of the package to change.",
};

/** Imports the same comments in other languages. */
export const translations = {
  zh: () => import("./comments_zh_pb.ts"),
};
