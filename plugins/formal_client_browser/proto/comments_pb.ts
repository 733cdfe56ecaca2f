// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "pb.CountFormalClientBrowsersRequest": "The filter that selects the browsers to count.",
  "pb.CountFormalClientBrowsersRequest.keyword": "Selects browsers with a code that contains this text; empty selects all.",
  "pb.CreateFormalClientBrowserRequest": "The browser to create.",
  "pb.CreateFormalClientBrowserRequest.codes": "The codes of the browser in user agents, such as chrome and crios; at least one.",
  "pb.CreateFormalClientBrowserRequest.dataId": "The id under which statistics are stored; required and unique; 1 to 64 characters.",
  "pb.CreateFormalClientBrowserRequest.name": "The name: 1 to 255 characters.",
  "pb.CreateFormalClientBrowserResponse": "The id of the new browser.",
  "pb.CreateFormalClientBrowserResponse.formalClientBrowserId": "The id of the new browser.",
  "pb.FindFormalClientBrowserWithDataIdRequest": "The browser to find.",
  "pb.FindFormalClientBrowserWithDataIdRequest.dataId": "The id in statistics of the browser to find.",
  "pb.FindFormalClientBrowserWithDataIdResponse": "The browser.",
  "pb.FindFormalClientBrowserWithDataIdResponse.formalClientBrowser": "The browser; absent if it does not exist.",
  "pb.FormalClientBrowser": "A browser in the catalog.",
  "pb.FormalClientBrowser.codes": "The codes of the browser in user agents.",
  "pb.FormalClientBrowser.dataId": "The id under which statistics are stored.",
  "pb.FormalClientBrowser.id": "The id of the browser.",
  "pb.FormalClientBrowser.name": "The name, for people: programs use the id.",
  "pb.FormalClientBrowser.state": "Always 1: the browser exists.",
  "pb.FormalClientBrowserService": "Manages the catalog of browsers, which maps user agents to browser names.",
  "pb.FormalClientBrowserService.countFormalClientBrowsers": "Counts browsers, without returning them.",
  "pb.FormalClientBrowserService.createFormalClientBrowser": "Adds a browser.",
  "pb.FormalClientBrowserService.findFormalClientBrowserWithDataId": "Finds the browser that has a data id.",
  "pb.FormalClientBrowserService.listFormalClientBrowsers": "Lists browsers, newest first.",
  "pb.FormalClientBrowserService.updateFormalClientBrowser": "Replaces a browser.",
  "pb.ListFormalClientBrowsersRequest": "The filter and the page of browsers to list.",
  "pb.ListFormalClientBrowsersRequest.keyword": "Selects browsers with a code that contains this text; empty selects all.",
  "pb.ListFormalClientBrowsersRequest.offset": "The number of items to skip; must not be negative.",
  "pb.ListFormalClientBrowsersRequest.size": "The page size, at most 1000; 0 means 20.",
  "pb.ListFormalClientBrowsersResponse": "A page of browsers.",
  "pb.ListFormalClientBrowsersResponse.formalClientBrowsers": "The browsers of the requested page; empty after the last one.",
  "pb.UpdateFormalClientBrowserRequest": "The new settings of the browser.",
  "pb.UpdateFormalClientBrowserRequest.codes": "The codes of the browser in user agents, such as chrome and crios; at least one.",
  "pb.UpdateFormalClientBrowserRequest.dataId": "The id under which statistics are stored; required and unique; 1 to 64 characters.",
  "pb.UpdateFormalClientBrowserRequest.formalClientBrowserId": "The id of the browser to change.",
  "pb.UpdateFormalClientBrowserRequest.name": "The name: 1 to 255 characters.",
};

/** Imports the same comments in other languages. */
export const translations = {
  zh: () => import("./comments_zh_pb.ts"),
};
