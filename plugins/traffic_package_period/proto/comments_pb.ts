// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "pb.CreateTrafficPackagePeriodRequest": "The period to create.",
  "pb.CreateTrafficPackagePeriodRequest.count": "The number of units; must be positive.",
  "pb.CreateTrafficPackagePeriodRequest.unit": "The unit: month or year.",
  "pb.CreateTrafficPackagePeriodResponse": "The period to create.",
  "pb.CreateTrafficPackagePeriodResponse.trafficPackagePeriodId": "The period to create.",
  "pb.DeleteTrafficPackagePeriodRequest": "Identifies the period to delete.",
  "pb.DeleteTrafficPackagePeriodRequest.trafficPackagePeriodId": "The id of the period to delete.",
  "pb.FindAllAvailableTrafficPackagePeriodsRequest": "Has no fields.",
  "pb.FindAllAvailableTrafficPackagePeriodsResponse": "The periods that are turned on.",
  "pb.FindAllAvailableTrafficPackagePeriodsResponse.trafficPackagePeriods": "The periods, shortest first.",
  "pb.FindAllTrafficPackagePeriodsRequest": "Has no fields.",
  "pb.FindAllTrafficPackagePeriodsResponse": "All periods.",
  "pb.FindAllTrafficPackagePeriodsResponse.trafficPackagePeriods": "The periods, shortest first.",
  "pb.FindTrafficPackagePeriodRequest": "Identifies the period to find.",
  "pb.FindTrafficPackagePeriodRequest.trafficPackagePeriodId": "The id of the period to find.",
  "pb.FindTrafficPackagePeriodResponse": "The period.",
  "pb.FindTrafficPackagePeriodResponse.trafficPackagePeriod": "The period; absent when there is none.",
  "pb.TrafficPackagePeriod": "A period for which a traffic package can be bought.",
  "pb.TrafficPackagePeriod.count": "The number of units; must be positive.",
  "pb.TrafficPackagePeriod.id": "The ID of the period.",
  "pb.TrafficPackagePeriod.isOn": "False if it is turned off.",
  "pb.TrafficPackagePeriod.months": "The length in months.",
  "pb.TrafficPackagePeriod.unit": "The unit: month or year.",
  "pb.TrafficPackagePeriodService": "Manages the periods for which traffic packages can be bought.",
  "pb.TrafficPackagePeriodService.createTrafficPackagePeriod": "Creates a period, which is turned on immediately. Lengths are unique.",
  "pb.TrafficPackagePeriodService.deleteTrafficPackagePeriod": "Deletes a period. Refused while it is in use.",
  "pb.TrafficPackagePeriodService.findAllAvailableTrafficPackagePeriods": "Finds the periods that are turned on.",
  "pb.TrafficPackagePeriodService.findAllTrafficPackagePeriods": "Finds all periods, including those that are turned off.",
  "pb.TrafficPackagePeriodService.findTrafficPackagePeriod": "Finds a period; the response is empty if it does not exist.",
  "pb.TrafficPackagePeriodService.updateTrafficPackagePeriod": "Turns a period on or off; its length never changes.",
  "pb.UpdateTrafficPackagePeriodRequest": "The new on/off state of a period.",
  "pb.UpdateTrafficPackagePeriodRequest.isOn": "If false, turns the period off: it is no longer offered.",
  "pb.UpdateTrafficPackagePeriodRequest.trafficPackagePeriodId": "The id of the period to change.",
};

/** Imports the same comments in other languages. */
export const translations = {
  zh: () => import("./comments_zh_pb.ts"),
};
