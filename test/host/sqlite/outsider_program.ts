import process from "node:process";
import { Connection } from "../../../core/host/sqlite/connection.ts";

// Opens a database as any other program would, and tries to take it for itself.
const connection = new Connection(process.argv[2] ?? "", [], 0);
try {
  console.log(connection.query("pragma journal_mode = delete")[0]?.[0]);
} catch (error) {
  console.log(String(error));
}
process.exit();
