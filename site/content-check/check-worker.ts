// The thread on which a quick build checks content/ while it renders.
import { join } from "node:path";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { findProblems } from "./check.ts";

const builder = parentPort as MessagePort;
builder.postMessage(await findProblems(workerData, join(workerData, "site/.cache")));
