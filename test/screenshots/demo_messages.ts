import type { Post } from "./demo.ts";

export async function fillMessages(post: Post, nightShift: number): Promise<void> {
  const { messageMediaInstanceId: mail } = await post("MessageMediaInstanceService/createMessageMediaInstance", {
    ...{ name: "Mail of the network", mediaType: "email", description: "Our own mail server", hashLife: 600 },
    paramsJSON: {
      ...{ smtp: "smtp.northwind-dns.example:465", username: "noc", password: "a quiet night" },
      from: "noc@northwind-dns.example",
    },
  });
  const { messageMediaInstanceId: chat } = await post("MessageMediaInstanceService/createMessageMediaInstance", {
    ...{ name: "Chat of the operators", mediaType: "webHook", rateJSON: { minutes: 5, count: 20 } },
    paramsJSON: {
      ...{ url: "https://chat.northwind-dns.example/hooks/noc", method: "POST", contentType: "params" },
      headers: [{ name: "Authorization", value: "Bearer of good news" }],
      params: [{ name: "text", value: "${MessageSubject}: ${MessageBody}" }],
    },
  });
  const groups: unknown[] = [];
  for (const name of ["On call", "Billing"]) {
    const made = await post("MessageRecipientGroupService/createMessageRecipientGroup", { name });
    groups.push(made.messageRecipientGroupId);
  }
  const { messageRecipientId: byMail } = await post("MessageRecipientService/createMessageRecipient", {
    ...{ adminId: 1, messageMediaInstanceId: mail, user: "noc@northwind-dns.example" },
    messageRecipientGroupIds: groups,
  });
  const { messageRecipientId: byChat } = await post("MessageRecipientService/createMessageRecipient", {
    ...{ adminId: nightShift, messageMediaInstanceId: chat, user: "night", timeFrom: "20:00", timeTo: "08:00" },
    ...{ messageRecipientGroupIds: groups.slice(0, 1), description: "While the day shift sleeps" },
  });
  const group = (index: number) => ({ recipientOptions: [{ messageRecipientGroupId: groups[index] }] });
  await post("MessageReceiverService/updateMessageReceivers", {
    recipientOptions: {
      error: { recipientOptions: [{ messageRecipientId: byMail }, ...group(0).recipientOptions] },
      "user_bill.became_overdue": group(1),
      "ns_node.came_back": group(0),
    },
  });
  const states = [[byMail, "The balance of Bombe Logistics is negative", 0], [byChat, "dns-nyc-1 is offline", 0], [
    ...[byMail, "dns-nyc-1 is offline"] as const,
    2,
  ], [byChat, "The certificate of old.analytical.example has expired", 3]] as const;
  for (const [messageRecipientId, subject, status] of states) {
    const { messageTaskId } = await post("MessageTaskService/createMessageTask", {
      ...{
        messageRecipientId,
        subject,
        body: `${subject}.\n\nSee the overview of the console.`,
        isPrimary: status > 0,
      },
    });
    if (status > 0) await post("MessageTaskService/updateMessageTaskStatus", { messageTaskId, status });
  }
}
