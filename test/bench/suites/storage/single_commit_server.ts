import { serve } from "../../../../core/host/cli/serve.ts";

// The same server, in which every write has a commit of its own.
await serve({ writer: { groupJobs: 1 } });
