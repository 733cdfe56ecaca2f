// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "pb.CreateNodeRegionRequest": "The region to create.",
  "pb.CreateNodeRegionRequest.description": "A free-text description; at most 1000 characters.",
  "pb.CreateNodeRegionRequest.name": "The name: 1 to 255 characters.",
  "pb.CreateNodeRegionResponse": "The created region.",
  "pb.CreateNodeRegionResponse.nodeRegionId": "The id of the new region.",
  "pb.DeleteNodeRegionRequest": "Selects the region to delete.",
  "pb.DeleteNodeRegionRequest.nodeRegionId": "The id of the region to delete.",
  "pb.FindAllAvailableNodeRegionsRequest": "This message has no fields.",
  "pb.FindAllAvailableNodeRegionsResponse": "The regions that are on.",
  "pb.FindAllAvailableNodeRegionsResponse.nodeRegions": "The regions, in order.",
  "pb.FindAllEnabledNodeRegionsRequest": "This message has no fields.",
  "pb.FindAllEnabledNodeRegionsResponse": "All regions.",
  "pb.FindAllEnabledNodeRegionsResponse.nodeRegions": "The regions, in order.",
  "pb.FindEnabledNodeRegionRequest": "Selects the region to find.",
  "pb.FindEnabledNodeRegionRequest.nodeRegionId": "The id of the region to find.",
  "pb.FindEnabledNodeRegionResponse": "The region.",
  "pb.FindEnabledNodeRegionResponse.nodeRegion": "The region; absent when there is none.",
  "pb.NodeRegionService": "Manages the regions of edge nodes and the traffic prices in each region.",
  "pb.NodeRegionService.createNodeRegion": "Creates a region that is on and comes after those that have an order.",
  "pb.NodeRegionService.deleteNodeRegion": "Deletes a region. It is refused while the region is in use.",
  "pb.NodeRegionService.findAllAvailableNodeRegions": "Finds the regions that are on, in order.",
  "pb.NodeRegionService.findAllEnabledNodeRegions": "Finds all regions in order, including those that are off.",
  "pb.NodeRegionService.findEnabledNodeRegion": "Finds one region.",
  "pb.NodeRegionService.updateNodeRegion": "Replaces the name, the description and the on/off state of a region.",
  "pb.NodeRegionService.updateNodeRegionOrders": "Sets the order of regions.",
  "pb.NodeRegionService.updateNodeRegionPrice": "Sets the price of a price item in a region.",
  "pb.UpdateNodeRegionOrdersRequest": "The order of regions.",
  "pb.UpdateNodeRegionOrdersRequest.nodeRegionIds": "The regions, in their new order. Omitted regions keep their order number.",
  "pb.UpdateNodeRegionPriceRequest": "The price.",
  "pb.UpdateNodeRegionPriceRequest.nodeItemId": "The price item.",
  "pb.UpdateNodeRegionPriceRequest.nodeRegionId": "The id of the region to change.",
  "pb.UpdateNodeRegionPriceRequest.price": "The price per gigabit (10^9 bits), with at most six decimals; 0 deletes the price.",
  "pb.UpdateNodeRegionRequest": "The complete settings of a region.",
  "pb.UpdateNodeRegionRequest.description": "A free-text description; at most 1000 characters.",
  "pb.UpdateNodeRegionRequest.isOn": "False turns the region off, so that it is no longer offered.",
  "pb.UpdateNodeRegionRequest.name": "The name: 1 to 255 characters.",
  "pb.UpdateNodeRegionRequest.nodeRegionId": "The id of the region to change.",
};

/** Imports the same comments in other languages. */
export const translations = {
  zh: () => import("./comments_zh_pb.ts"),
};
