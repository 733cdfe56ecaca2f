// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "edgehelm.config.OpenApiConfig": "OpenApiConfig 是插件 openapi 的配置：文档中关于安装实例的说明。",
  "edgehelm.config.OpenApiConfig.contactEmail": "供 API 用户使用的电子邮件地址。",
  "edgehelm.config.OpenApiConfig.contactName": "API 用户可以联系的人或部门的名称。",
  "edgehelm.config.OpenApiConfig.contactUrl": "供 API 用户使用的网页地址。",
  "edgehelm.config.OpenApiConfig.serverUrl": "客户端访问安装实例的地址，例如 \"https://api.example.com\"；为空表示 \"/\"，即文档本身的来源地址。",
  "edgehelm.config.OpenApiConfig.title": "文档的标题；为空表示 \"Edgehelm\"。",
};
